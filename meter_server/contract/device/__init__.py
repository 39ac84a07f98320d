"""What table agents and gateways share: their keys, how they enrol, and how they sign requests."""
