"""What makes `data/`: scenes, questions, admissible alternatives."""
