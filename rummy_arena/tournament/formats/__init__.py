"""Tournament formats, one a file."""
