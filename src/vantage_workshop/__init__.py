"""What makes the inputs of Vantage: items and predictions. Readers and rerunners never need it."""
