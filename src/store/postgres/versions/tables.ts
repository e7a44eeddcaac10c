/** The migration that lets several versions of a kind's documents live in one database (0048). */

import { forgetStreams, pinned } from '../functions.ts'

export const versionTables = `
-- The versions of a kind's documents that are in the database, of the kinds that have had more than one (0048).
create table folds (
  instance integer not null,
  kind text collate "C" not null,
  version integer not null,
  -- Name of its documents in the table of documents.
  document_kind text collate "C" not null,
  -- building, ready or retired
  state text collate "C" not null,
  -- The last stream that was built.
  built_until text collate "C" not null default '',
  seen_at timestamptz not null default now(),
  primary key (instance, document_kind)
) with (fillfactor = 20);

-- Streams that another version has changed: these documents have revision -1 and must be folded again.
create table behind (
  instance integer not null,
  document_kind text collate "C" not null,
  id text collate "C" not null,
  -- The last event of the stream.
  sequence bigint not null,
  primary key (instance, document_kind, id)
);

-- The running nodes, and the version of each kind that they use.
create table nodes (
  instance integer not null,
  node text collate "C" not null,
  release text not null,
  folds text[] not null,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  primary key (instance, node)
) with (fillfactor = 20);

create function mark_others_1(
  outcomes bigint[], changed_commit integer[], changed_kind text[], changed_id text[]
) returns void
${pinned}
begin
  insert into behind (instance, document_kind, id, sequence)
  select 1, f.document_kind, o.id, o.sequence
  from unnest(changed_commit, changed_kind, changed_id) as c(commit, kind, id)
  join documents o on o.instance = 1 and o.kind = c.kind and o.id = c.id
  join folds f on f.instance = 1 and f.kind = split_part(c.kind, '@', 1) and f.document_kind <> c.kind
    and f.state <> 'retired'
  where outcomes[c.commit] >= 0
  order by f.document_kind, o.id
  on conflict on constraint behind_pkey do update set sequence = excluded.sequence;

  -- No decision has revision -1: one that is based on the old state is a conflict. A new stream gets a document that
  -- no list shows, so that it cannot be begun twice.
  insert into documents (instance, kind, id, owner, state, gone, revision, sequence, created_at, changed_at)
  select 1, f.document_kind, o.id, o.owner, '{}', true, -1, o.sequence, o.created_at, o.changed_at
  from unnest(changed_commit, changed_kind, changed_id) as c(commit, kind, id)
  join documents o on o.instance = 1 and o.kind = c.kind and o.id = c.id
  join folds f on f.instance = 1 and f.kind = split_part(c.kind, '@', 1) and f.document_kind <> c.kind
    and f.state <> 'retired'
  where outcomes[c.commit] >= 0
  order by f.document_kind, o.id
  on conflict on constraint documents_pkey do update set revision = -1;
end
$$;

-- Runs on the outcomes of commit_batch_1, in the same statement: the instance's row is still held.
create function mark_behind_1(
  outcomes bigint[], new_commit integer[], new_kind text[], new_id text[], old_commit integer[], old_kind text[], old_id text[]
) returns bigint[]
language plpgsql as $$
begin
  if not exists (select from folds) then
    return outcomes;
  end if;
  if exists (
    select from unnest(new_kind || old_kind) as c(kind)
    left join folds f on f.instance = 1 and f.document_kind = c.kind
    where f.state = 'retired' or (f.state is null and strpos(c.kind, '@') > 0)
  ) then
    raise exception 'version retired' using errcode = 'SG002';
  end if;
  if exists (select from folds where instance = 1 and state <> 'retired' group by kind having count(*) > 1) then
    perform mark_others_1(outcomes, new_commit || old_commit, new_kind || old_kind, new_id || old_id);
  end if;
  return outcomes;
end
$$;

${forgetStreams(
  'create or replace',
  `  if exists (select from folds) then
    delete from documents d
    using unnest(forgotten_commit, forgotten_kind, forgotten_id) as f(commit, kind, id)
    join folds v on v.instance = 1 and v.kind = f.kind
    where d.instance = 1 and d.kind = v.document_kind and d.id = f.id and outcomes[f.commit] >= 0;

    delete from behind b
    using unnest(forgotten_commit, forgotten_kind, forgotten_id) as f(commit, kind, id)
    join folds v on v.instance = 1 and v.kind = f.kind
    where b.instance = 1 and b.document_kind = v.document_kind and b.id = f.id and outcomes[f.commit] >= 0;

    -- The commit releases what its own version claims. Other versions may claim more.
    delete from claims c
    using unnest(forgotten_commit, forgotten_kind, forgotten_id) as f(commit, kind, id)
    where c.instance = 1 and c.holder_kind = f.kind and c.id = f.id and outcomes[f.commit] >= 0
      and (select count(*) from folds v where v.instance = 1 and v.kind = f.kind and v.state <> 'retired') > 1;
  end if;

  insert into removals as r (instance, kind, sequence)
  select 1, f.kind, (select i.sequence from instances i where i.id = 1)
  from (select distinct u.kind from unnest(forgotten_commit, forgotten_kind) as u(commit, kind)
    where outcomes[u.commit] >= 0) f
  on conflict on constraint removals_pkey do update set sequence = excluded.sequence;

`,
)}
`
