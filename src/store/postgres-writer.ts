/**
 * Writes batches, one at a time, over a connection of its own. When the answer to a batch is lost, it asks the database
 * what became of it, and makes sure that what has not been written by then never will be: no lie, nothing twice.
 */
import { newId } from '../kernel/id.ts'
import type { Commit, Outcome } from './engine.ts'
import { decodeOutcomes, encodeBatch, encodeForgotten } from './postgres-batch.ts'
import type { Connection, ConnectionOptions } from './postgres-connection.ts'
import { isSurelyUndone, sqlState, translateError, unavailable } from './postgres-errors.ts'
import { connectBefore } from './postgres-pool.ts'
import { commitStatement, forgetStatement } from './postgres-schema.ts'
import { isStorableText } from './text.ts'

/** Raised by the function: this batch was given up, or the writer is not known (any more). */
const GIVEN_UP = 'SG001'

function isWorthRepeating(error: unknown): boolean {
  return ['25006', '40001', '40P01', GIVEN_UP].includes(sqlState(error) ?? '')
}

/**
 * Notes that batch $2 is over and gives its outcomes, or null: then it has not been written, and the function will
 * refuse to write it from now on. As this is itself a write, it returns only when everything before it is as durable as
 * the server promises, on the synchronous standby too.
 */
const settleStatement = {
  name: 'settle_batch_1',
  text: `insert into writers as w (instance, writer, batch) values (1, $1, $2)
    on conflict (instance, writer) do update set
      batch = greatest(w.batch, excluded.batch),
      outcomes = case when w.batch < excluded.batch then null else w.outcomes end,
      seen_at = now()
    returning outcomes`,
} as const

function isStorable({ changes, guards, forgotten }: Commit): boolean {
  return (
    changes.every(({ id, owner }) => isStorableText(id) && isStorableText(owner)) &&
    [...guards, ...forgotten].every(({ id }) => isStorableText(id))
  )
}

/** How a batch is written, apart from the name of the writer and the number of the batch. */
interface Call {
  readonly statement: { readonly name: string; readonly text: string }
  readonly parameters: readonly Buffer[]
}

export interface WriterOptions extends ConnectionOptions {
  /** How long to try to reach a primary, and to find out what became of a batch, before giving up. */
  readonly patienceMs: number
}

export class Writer {
  readonly #options: WriterOptions
  readonly #name = newId()
  #batch = 0
  #connection: Connection | undefined
  #isKnown = false

  constructor(options: WriterOptions) {
    this.#options = options
  }

  /** Not to be called again before the last call is settled. */
  async commit(batch: readonly Commit[]): Promise<readonly Outcome[]> {
    const storable = batch.filter(isStorable)
    if (storable.length < batch.length) return await this.#commitWithout(batch, storable)
    const forgotten = encodeForgotten(batch)
    const call = {
      statement: forgotten === undefined ? commitStatement : forgetStatement,
      parameters: [...encodeBatch(batch), ...(forgotten ?? [])],
    }
    const deadline = performance.now() + this.#options.patienceMs
    for (;;) {
      if (!this.#isKnown) await this.#settle(deadline)
      const number = ++this.#batch
      const answer = (await this.#send(number, call, deadline)) ?? (await this.#settle(deadline))
      if (answer) return decodeOutcomes(answer)
      if (performance.now() >= deadline) throw unavailable(new Error('timed out writing a batch'))
    }
  }

  /** A commit with an id that PostgreSQL cannot hold must not spoil the others; it can never go in. */
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
        .query('delete from writers where instance = 1 and writer = $1', [this.#name])
        .catch(() => {})
    }
    await connection.end()
  }

  /** The outcomes; undefined when the answer is lost or the batch should be tried again. */
  async #send(number: number, call: Call, deadline: number): Promise<readonly number[] | undefined> {
    const connection = await this.#connect(deadline)
    try {
      const warnings = connection.warnings
      const values = [this.#name, number, ...call.parameters]
      const { rows } = await connection.client.query<{ outcomes: number[] }>({ ...call.statement, values })
      // The wait for the synchronous standby was cancelled: written here, but perhaps nowhere else.
      return connection.warnings === warnings ? rows[0]?.outcomes : undefined
    } catch (error) {
      if (!isSurelyUndone(error) || sqlState(error) === '25006') this.#disconnect(connection)
      else if (!isWorthRepeating(error)) throw translateError(error)
      return undefined
    }
  }

  /** What became of the current batch; undefined when it was not and will never be written. */
  async #settle(deadline: number): Promise<readonly number[] | undefined> {
    let failure: unknown
    do {
      const connection = await this.#connect(deadline)
      try {
        const warnings = connection.warnings
        const values = [this.#name, this.#batch]
        const { rows } = await connection.client.query<{ outcomes: number[] | null }>({ ...settleStatement, values })
        if (connection.warnings > warnings) continue
        this.#isKnown = true
        return rows[0]?.outcomes ?? undefined
      } catch (error) {
        failure = error
        if (!isSurelyUndone(error) || isWorthRepeating(error)) this.#disconnect(connection)
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
