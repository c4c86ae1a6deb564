-- Store allocation in the background: the row is there before its id is told, and is itself the queue.
create table allocation_jobs (
  account_id text not null references accounts,
  job_id text not null,
  -- The document it is decided under: the candidates were checked against it.
  account_version integer not null,
  request json not null,
  -- The stores that the asking client may see; null: all.
  store_references text[],
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed')),
  ranks json,
  reason text,
  -- Wall time, all of it: a test clock that is set back must not hold a job up.
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- Past it the job has failed, whether or not anyone was there to say so.
  deadline timestamptz not null,
  due_at timestamptz default now(),
  lease_until timestamptz,
  fence bigint not null default 0,
  -- Claims so far: work that kills its worker is counted too.
  claims integer not null default 0,
  primary key (account_id, job_id),
  check ((status = 'done') = (ranks is not null)),
  check ((due_at is null) = (status in ('done', 'failed')))
);
create index allocation_jobs_due on allocation_jobs (account_id, due_at) where due_at is not null;
create index allocation_jobs_age on allocation_jobs (account_id, created_at);
