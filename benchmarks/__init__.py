"""Speed, as ratios measured in one run: absolute figures mean nothing on a shared machine."""
