/**
 * The tables in PostgreSQL, as numbered migrations: append a new one, never change one that has shipped. Every key
 * begins with the instance, so that a distributed PostgreSQL can shard by it. Text is compared by its bytes.
 */
import { forgetStreams, pinned } from './functions.ts'
import { versionTables } from './versions/tables.ts'

/** The name in `versions` that counts how often documents were folded again. */
export const REBUILDS = 'rebuilds'

/** The name in `versions` of the oldest schema version that a node may know to run on this database. */
export const OLDEST_SCHEMA = 'schema.oldest'

/** A step of the schema. */
export interface Migration {
  readonly sql: string
  /** Whether nodes that do not know it continue: it only adds, and what they write without it is right. */
  readonly keepsOlderNodes: boolean
}

/** The oldest schema version that a node must know when these migrations were run. */
export function oldestSchema(run: readonly Migration[]): number {
  return run.findLastIndex(({ keepsOlderNodes }) => !keepsOlderNodes) + 1
}

const steps: readonly string[] = [
  `
create table instances (
  id integer primary key,
  -- Number of the last event: this row orders all commits of the instance.
  sequence bigint not null
) with (fillfactor = 20);
insert into instances (id, sequence) values (1, 0);

create table events (
  instance integer not null,
  sequence bigint not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  revision integer not null,
  type text collate "C" not null,
  data json not null,
  actor text collate "C" not null,
  owner text collate "C" not null,
  at bigint not null,
  primary key (instance, sequence)
);
-- By stream id first, so that one index serves the stream and the audit log of one thing.
create unique index events_by_stream on events (instance, id, kind, revision);
create index events_by_actor on events (instance, actor, sequence);
create index events_by_type on events (instance, type, sequence);

create table documents (
  instance integer not null,
  kind text collate "C" not null,
  id text collate "C" not null,
  owner text collate "C" not null,
  state jsonb not null,
  gone boolean not null,
  revision integer not null,
  sequence bigint not null,
  created_at bigint not null,
  changed_at bigint not null,
  primary key (instance, kind, id)
);
create index documents_by_owner on documents (instance, kind, owner, created_at, id) where not gone;
create index documents_by_creation on documents (instance, kind, created_at, id) where not gone;

create table claims (
  instance integer not null,
  kind text collate "C" not null,
  value text collate "C" not null,
  id text collate "C" not null,
  holder_kind text collate "C" not null,
  primary key (instance, kind, value)
);
create index claims_by_holder_kind on claims (instance, holder_kind);

create table jobs (
  instance integer not null,
  id text collate "C" not null,
  kind text collate "C" not null,
  data json not null,
  due_at bigint not null,
  leased_until bigint not null default 0,
  attempts integer not null default 0,
  parked boolean not null default false,
  error text not null default '',
  primary key (instance, id)
);
create index jobs_by_due on jobs (instance, due_at) where not parked;
create index jobs_parked on jobs (instance, id) where parked;

-- The last batch of every writer and what became of it, for the writer whose answer was lost on the way.
create table writers (
  instance integer not null,
  writer text collate "C" not null,
  batch bigint not null,
  outcomes bigint[],
  seen_at timestamptz not null default now(),
  primary key (instance, writer)
) with (fillfactor = 20);
`,
  // Plans are pinned: a session plans once, often while the tables are still empty, and the plan must suit full tables.
  `
create function commit_batch_1(
  batch_writer text, batch_number bigint, commit_events integer[],
  check_commit integer[], check_kind text[], check_id text[], check_expected integer[],
  claim_commit integer[], claim_index integer[], claim_kind text[], claim_value text[], claim_id text[], claim_of text[],
  released_commit integer[], released_kind text[], released_value text[], released_id text[],
  event_commit integer[], event_kind text[], event_id text[], event_revision integer[], event_type text[],
  event_data json[], event_actor text[], event_owner text[], event_at bigint[],
  new_commit integer[], new_kind text[], new_id text[], new_owner text[], new_state jsonb[], new_gone boolean[],
  new_revision integer[], new_last integer[], new_at bigint[],
  old_commit integer[], old_kind text[], old_id text[], old_state jsonb[], old_gone boolean[],
  old_revision integer[], old_last integer[], old_at bigint[],
  job_commit integer[], job_id text[], job_kind text[], job_data json[], job_due_at bigint[]
) returns bigint[]
${pinned}
declare
  base bigint;
  total integer := cardinality(event_commit);
  commits integer := cardinality(commit_events);
  -- 0: it goes in; -1: conflict; -2 - n: claim n is taken.
  fate bigint[] := array_fill(0::bigint, array[cardinality(commit_events)]);
  -- How many events of the batch before and in a commit do not go in.
  missing bigint[] := fate;
  lost bigint := 0;
  last bigint;
  answers bigint[] := fate;
  has_losers boolean := false;
  loser record;
begin
  -- Acknowledged means durable, whatever the database's default is.
  perform set_config('synchronous_commit', 'on', true) where current_setting('synchronous_commit') in ('off', 'local', 'remote_write');

  -- From here on no other commit of this instance runs, and each statement below sees all earlier ones.
  update instances set sequence = sequence + total where id = 1 returning sequence - total into strict base;

  for loser in
    select distinct c.commit
    from unnest(check_commit, check_kind, check_id, check_expected) as c(commit, kind, id, expected)
    where c.expected <> coalesce(
      (select d.revision from documents d where d.instance = 1 and d.kind = c.kind and d.id = c.id), 0)
  loop
    fate[loser.commit] := -1;
    has_losers := true;
  end loop;

  if cardinality(claim_commit) > 0 then
    for loser in
      select c.commit, min(c.index) as index
      from unnest(claim_commit, claim_index, claim_kind, claim_value, claim_id) as c(commit, index, kind, value, id)
      cross join lateral (
        select h.id from claims h where h.instance = 1 and h.kind = c.kind and h.value = c.value limit 1
      ) h
      where h.id <> c.id and not exists (
        select from unnest(released_commit, released_kind, released_value, released_id) as r(commit, kind, value, id)
        where r.commit = c.commit and r.kind = c.kind and r.value = c.value and r.id = h.id
      )
      group by c.commit
    loop
      if fate[loser.commit] = 0 then
        fate[loser.commit] := -2 - loser.index;
        has_losers := true;
      end if;
    end loop;
  end if;

  if has_losers then
    for i in 1 .. commits loop
      if fate[i] < 0 then lost := lost + commit_events[i]; end if;
      missing[i] := lost;
    end loop;
    update instances set sequence = sequence - lost where id = 1;
  end if;

  insert into events (instance, sequence, kind, id, revision, type, data, actor, owner, at)
  select 1, base + e.n - missing[e.commit], e.kind, e.id, e.revision, e.type, e.data, e.actor, e.owner, e.at
  from unnest(event_commit, event_kind, event_id, event_revision, event_type, event_data, event_actor, event_owner, event_at)
    with ordinality as e(commit, kind, id, revision, type, data, actor, owner, at, n)
  where fate[e.commit] = 0;

  if cardinality(new_commit) > 0 then
    insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
    select 1, d.kind, d.id, d.owner, d.state, d.gone, d.revision, base + d.last - missing[d.commit], d.at, d.at
    from unnest(new_commit, new_kind, new_id, new_owner, new_state, new_gone, new_revision, new_last, new_at)
      as d(commit, kind, id, owner, state, gone, revision, last, at)
    where fate[d.commit] = 0;
  end if;

  if cardinality(old_commit) > 0 then
    update documents o
    set state = d.state, gone = d.gone, revision = d.revision, sequence = base + d.last - missing[d.commit], changed_at = d.at
    from unnest(old_commit, old_kind, old_id, old_state, old_gone, old_revision, old_last, old_at)
      as d(commit, kind, id, state, gone, revision, last, at)
    where o.instance = 1 and o.kind = d.kind and o.id = d.id and fate[d.commit] = 0;
  end if;

  if cardinality(released_commit) > 0 then
    delete from claims c
    using unnest(released_commit, released_kind, released_value, released_id) as r(commit, kind, value, id)
    where c.instance = 1 and c.kind = r.kind and c.value = r.value and c.id = r.id and fate[r.commit] = 0;
  end if;

  if cardinality(claim_commit) > 0 then
    insert into claims (instance, kind, value, id, holder_kind)
    select 1, c.kind, c.value, c.id, c.of
    from unnest(claim_commit, claim_kind, claim_value, claim_id, claim_of) as c(commit, kind, value, id, of)
    where fate[c.commit] = 0
    on conflict on constraint claims_pkey do update set id = excluded.id, holder_kind = excluded.holder_kind;
  end if;

  if cardinality(job_commit) > 0 then
    insert into jobs (instance, id, kind, data, due_at)
    select 1, j.id, j.kind, j.data, j.due_at
    from unnest(job_commit, job_id, job_kind, job_data, job_due_at) as j(commit, id, kind, data, due_at)
    where fate[j.commit] = 0;
  end if;

  last := base;
  for i in 1 .. commits loop
    if fate[i] = 0 then
      last := last + commit_events[i];
      answers[i] := last;
    else
      answers[i] := fate[i];
    end if;
  end loop;

  -- A batch that its writer has given up (it asked and was told "not written") must not be written after all.
  update writers w set batch = batch_number, outcomes = answers, seen_at = now()
  where w.instance = 1 and w.writer = batch_writer and w.batch < batch_number;
  if not found then raise exception 'batch given up' using errcode = 'SG001'; end if;
  return answers;
end
$$;
`,
  `
-- Runs on the outcomes of commit_batch_1, in the same statement: the instance's row is still held.
${forgetStreams('create', '')}
`,
  `
-- A removal leaves no event that would tell readers to drop what they cached: the kind is recorded instead.
create table removals (
  instance integer not null,
  kind text collate "C" not null,
  sequence bigint not null,
  primary key (instance, kind)
) with (fillfactor = 20);

${forgetStreams(
  'create or replace',
  `  insert into removals as r (instance, kind, sequence)
  select 1, f.kind, (select i.sequence from instances i where i.id = 1)
  from (select distinct u.kind from unnest(forgotten_commit, forgotten_kind) as u(commit, kind)
    where outcomes[u.commit] >= 0) f
  on conflict on constraint removals_pkey do update set sequence = excluded.sequence;

`,
)}
`,
  versionTables,
]

/** Older nodes know no kind that counts. */
const counters = `
-- Numbers by hour that events add to. They change in place: no index has them.
create table counters (
  instance integer not null,
  kind text collate "C" not null,
  scope text collate "C" not null,
  hour integer not null,
  name text collate "C" not null,
  n bigint not null,
  primary key (instance, kind, scope, hour, name)
) with (fillfactor = 50);
create index counters_by_hour on counters (instance, hour);

-- Runs on the outcomes of commit_batch_1, in the same statement: the instance's row is still held.
create function add_counts_1(
  outcomes bigint[], count_commit integer[], count_kind text[], count_scope text[], count_hour integer[], count_name text[],
  count_n integer[]
) returns bigint[]
${pinned}
begin
  insert into counters as c (instance, kind, scope, hour, name, n)
  select 1, a.kind, a.scope, a.hour, a.name, sum(a.n)
  from unnest(count_commit, count_kind, count_scope, count_hour, count_name, count_n)
    as a(commit, kind, scope, hour, name, n)
  where outcomes[a.commit] >= 0
  group by a.kind, a.scope, a.hour, a.name
  on conflict on constraint counters_pkey do update set n = c.n + excluded.n;
  return outcomes;
end
$$;
`

/** Older nodes bring nothing from elsewhere; they show its dates as they are stored. */
const dates = `
-- Runs on the outcomes of commit_batch_1, in the same statement: documents that came from elsewhere keep their dates.
create function set_dates_1(
  outcomes bigint[], dated_commit integer[], dated_kind text[], dated_id text[], dated_created bigint[],
  dated_changed bigint[]
) returns bigint[]
${pinned}
begin
  update documents d set created_at = a.created, changed_at = a.changed
  from unnest(dated_commit, dated_kind, dated_id, dated_created, dated_changed) as a(commit, kind, id, created, changed)
  where d.instance = 1 and d.kind = a.kind and d.id = a.id and outcomes[a.commit] >= 0;
  return outcomes;
end
$$;
`

/** Run in order, each exactly once; the position in the list is its version. */
export const migrations: readonly Migration[] = [
  ...steps.map((sql) => ({ sql, keepsOlderNodes: false })),
  { sql: counters, keepsOlderNodes: true },
  { sql: dates, keepsOlderNodes: true },
]
