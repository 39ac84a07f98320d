"""What the screens show: pages, their styles, their scripts and their words."""
