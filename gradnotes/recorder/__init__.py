"""Run programs in processes of their own and record what each statement did."""
