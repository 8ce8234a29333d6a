"""The ledger over HTTP: Litestar in front, the same use cases behind it. docs/http.md is its guide."""
