"""What programs are answered with: the same typed values behind `--json`, over HTTP, and in the client."""
