"""Several processes that train together, on torch.distributed.

group.join()            this process's `Group`, as its launcher's environment says; made once
group.joined()          the same, or None where nothing has joined yet
Group                   rank, size, local_rank, local_size; barrier(), gather_text(), check_same()
collectives.all_reduce(group, tensors)   sums in place over all processes, in flat buckets
collectives.broadcast(group, tensors)    rank 0's values everywhere, in flat buckets
collectives.all_gather(group, tensor)    every rank's tensor; first axes may differ
roles.hold()            what schedulers and servers of MXNet's launchers do: wait for the workers

A rank that dies or leaves gives the others `LostRankError`, which names it.
"""
