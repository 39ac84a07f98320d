"""From frames to screens: one hub, fed by Redis or the server, and a stream for every screen."""
