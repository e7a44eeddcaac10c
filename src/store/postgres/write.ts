/**
 * Writes batches, one at a time, on its own connection. When the answer to a batch is lost, it asks the database whether
 * the batch was written, and makes sure that a batch not written by then never will be: no wrong answer, no duplicate.
 */
import { newId } from '../../kernel/id.ts'
import type { Commit, Outcome } from '../engine.ts'
import { isStorableText } from '../text.ts'
import { batchStatement, decodeOutcomes, encodeBatch, encodeCounts, encodeDates, encodeRemoved } from './batch.ts'
import type { Connection, ConnectionOptions } from './connection.ts'
import { isRolledBack, sqlState, translateError, unavailable } from './errors.ts'
import { connectBefore } from './pool.ts'

/** Raised by the function: this batch was given up, or the writer is unknown. */
const GIVEN_UP = 'SG001'

function isWorthRepeating(error: unknown): boolean {
  return ['25006', '40001', '40P01', GIVEN_UP].includes(sqlState(error) ?? '')
}

/**
 * Marks batch $2 as settled and returns its outcomes, or null: then it was not written, and from now on the function
 * refuses to write it. As this is itself a write, it returns only when everything before it is durable, on the synchronous
 * standby too, whatever the default of the database is: its answer can acknowledge the batch.
 */
const settleStatement = {
  name: 'settle_batch_3',
  text: `insert into writers as w (instance, writer, batch)
    select 1, $1, $2::bigint from (select case
      when current_setting('synchronous_commit') in ('off', 'local', 'remote_write')
      then set_config('synchronous_commit', 'on', true) end as durable) as setting
    on conflict (instance, writer) do update set
      batch = greatest(w.batch, excluded.batch),
      outcomes = case when w.batch < excluded.batch then null else w.outcomes end,
      seen_at = excluded.seen_at
    returning outcomes`,
} as const

function isStorable({ changes, guards, removed }: Commit): boolean {
  return (
    changes.every(({ id, owner }) => isStorableText(id) && isStorableText(owner)) &&
    [...guards, ...removed].every(({ id }) => isStorableText(id))
  )
}

/** The call that writes a batch, without the name of the writer and the number of the batch. */
interface Call {
  readonly statement: { readonly name: string; readonly text: string }
  readonly parameters: readonly Buffer[]
}

export interface WriterOptions extends ConnectionOptions {
  /** How long to try to reach a primary and to find out the result of a batch. */
  readonly patienceMs: number
  /** The name under which the documents of a kind are stored. */
  documentKind(kind: string): string
  /** Off in tests only: shows that other versions are wrong without it. */
  readonly marksOthers: boolean
}

export class Writer {
  readonly #options: WriterOptions
  /** Of this node. */
  readonly name = newId()
  #batch = 0
  #connection: Connection | undefined
  #isKnown = false
  /** Why the server refused the current batch, as far as it said. */
  #refusal: unknown

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Must not be called again before the last call is settled. */
  async commit(batch: readonly Commit[]): Promise<readonly Outcome[]> {
    const storable = batch.filter(isStorable)
    if (storable.length < batch.length) return await this.#commitWithout(batch, storable)
    const { documentKind, marksOthers } = this.#options
    const [removed, counted, dated] = [encodeRemoved(batch), encodeCounts(batch), encodeDates(batch, documentKind)]
    const call = {
      statement: batchStatement({ removed, counted, dated, marksOthers }),
      parameters: [...encodeBatch(batch, documentKind), ...(removed ?? []), ...(counted ?? []), ...(dated ?? [])],
    }
    const deadline = performance.now() + this.#options.patienceMs
    for (;;) {
      if (!this.#isKnown) await this.#settle(deadline)
      const number = ++this.#batch
      const answer = (await this.#send(number, call, deadline)) ?? (await this.#settle(deadline))
      if (answer) return decodeOutcomes(answer)
      if (this.#refusal !== undefined) throw translateError(this.#refusal)
      if (performance.now() >= deadline) throw unavailable(new Error('timed out writing a batch'))
    }
  }

  /** A commit with an id that PostgreSQL cannot store is a conflict and must not fail the others. */
  async #commitWithout(batch: readonly Commit[], storable: readonly Commit[]): Promise<readonly Outcome[]> {
    const outcomes = storable.length > 0 ? await this.commit(storable) : []
    const answers = new Map(storable.map((commit, index) => [commit, outcomes[index]]))
    return batch.map((commit) => answers.get(commit) ?? { type: 'conflict' })
  }

  async close(): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    if (!connection) return
    if (this.#isKnown) {
      await connection.client
        .query('delete from writers where instance = 1 and writer = $1', [this.name])
        .catch(() => {})
    }
    await connection.end()
  }

  /** The outcomes; undefined when the answer was lost or the batch should be tried again. */
  async #send(number: number, call: Call, deadline: number): Promise<readonly number[] | undefined> {
    const connection = await this.#connect(deadline)
    this.#refusal = undefined
    try {
      const warnings = connection.warnings
      const values = [this.name, number, ...call.parameters]
      const { rows } = await connection.client.query<{ outcomes: number[] }>({ ...call.statement, values })
      // After a warning: the wait for the synchronous standby was cancelled, and only the primary may have the batch.
      return connection.warnings === warnings ? rows[0]?.outcomes : undefined
    } catch (error) {
      if (!isRolledBack(error) || sqlState(error) === '25006') this.#disconnect(connection)
      // Also a refusal that no batch should get is not taken for an answer: the batch is settled first.
      else if (!isWorthRepeating(error)) this.#refusal = error
      return undefined
    }
  }

  /** The outcomes of the current batch; undefined when it was not written and never will be. */
  async #settle(deadline: number): Promise<readonly number[] | undefined> {
    let failure: unknown
    do {
      const connection = await this.#connect(deadline)
      try {
        const warnings = connection.warnings
        const values = [this.name, this.#batch]
        const { rows } = await connection.client.query<{ outcomes: number[] | null }>({ ...settleStatement, values })
        if (connection.warnings > warnings) continue
        this.#isKnown = true
        return rows[0]?.outcomes ?? undefined
      } catch (error) {
        failure = error
        if (!isRolledBack(error) || isWorthRepeating(error)) this.#disconnect(connection)
        else throw translateError(error)
      }
    } while (performance.now() < deadline)
    throw unavailable(failure ?? new Error('the synchronous standby does not respond'))
  }

  async #connect(deadline: number): Promise<Connection> {
    if (this.#connection && !this.#connection.isBroken) return this.#connection
    this.#connection = await connectBefore(this.#options, deadline)
    return this.#connection
  }

  #disconnect(connection: Connection): void {
    this.#connection = undefined
    void connection.end()
  }
}
