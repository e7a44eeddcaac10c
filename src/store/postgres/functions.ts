/** What several functions of the database have in common. */
import type { Connection } from './connection.ts'

const PLANS = 'set plan_cache_mode = force_generic_plan'

/**
 * The beginning of a function whose plans are pinned: a session plans once, often while the tables are still empty, and the
 * plan must suit full tables.
 */
export const pinned = `language plpgsql
set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set enable_bitmapscan = off
set enable_material = off
${PLANS} set jit = off
as $$
#variable_conflict use_variable`

/**
 * The statement as this server takes it: a distributed PostgreSQL has no generic plan for a statement that it sends to another
 * server, and would fail where the function asks for one.
 */
export function forServer({ isDistributed }: Connection, statement: string): string {
  return isDistributed ? statement.replace(`${PLANS} `, '') : statement
}

/** The function that removes streams from the log, on the outcomes of `commit_batch_1`; `more` is what it also does. */
export function forgetStreams(create: 'create' | 'create or replace', more: string): string {
  return `${create} function forget_streams_1(
  outcomes bigint[], forgotten_commit integer[], forgotten_kind text[], forgotten_id text[]
) returns bigint[]
${pinned}
begin
  delete from events e
  using unnest(forgotten_commit, forgotten_kind, forgotten_id) as f(commit, kind, id)
  where e.instance = 1 and e.id = f.id and e.kind = f.kind and outcomes[f.commit] >= 0;

  delete from documents d
  using unnest(forgotten_commit, forgotten_kind, forgotten_id) as f(commit, kind, id)
  where d.instance = 1 and d.kind = f.kind and d.id = f.id and outcomes[f.commit] >= 0;

${more}  return outcomes;
end
$$;`
}
