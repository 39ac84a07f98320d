"""What Prometheus may ask; every name is explained in docs/metrics.md."""
