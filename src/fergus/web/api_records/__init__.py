"""What the HTTP API takes and gives, a file for every operation: records that check requests and make the document."""
