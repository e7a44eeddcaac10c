/** `signet events`: prints the event log of a running server, and continues where it was when the connection is lost. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config/index.ts'
import { readTarget, type TargetFlags } from '../server-target.ts'
import { type EventSelection, readEvents, StreamEnded, type StreamMessage } from './event-reader.ts'

export interface EventsFlags extends TargetFlags {
  readonly follow?: boolean
  readonly after?: string
  readonly type?: readonly string[]
  readonly kind?: readonly string[]
  readonly organization?: string
  readonly object?: string
  readonly json?: boolean
}

interface Printing {
  readonly config: Config
  readonly flags: EventsFlags
  say(line: string): void
  complain(line: string): void
}

const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 30_000

interface EventData {
  readonly creationDate?: string
  readonly sequence?: string
  readonly type?: { readonly type?: string }
  readonly aggregate?: { readonly id?: string; readonly type?: { readonly type?: string } }
  readonly editor?: { readonly userId?: string }
}

/** One line for people. */
function describeEvent({ data }: Pick<StreamMessage, 'data'>): string {
  const { creationDate = '', sequence = '', type, aggregate, editor } = data as EventData
  const object = `${aggregate?.type?.type ?? ''} ${aggregate?.id ?? ''}`
  const by = editor?.userId ? ` by ${editor.userId}` : ''
  return `${creationDate} ${sequence} ${type?.type ?? ''} ${object}${by}`
}

function selectionOf({ follow = false, after, type, kind, organization, object }: EventsFlags): EventSelection {
  return {
    // Without --follow, there is nothing to wait for: the log from its beginning.
    after: after ?? (follow ? undefined : '0'),
    types: type ?? [],
    kinds: kind ?? [],
    organizationId: organization,
    objectId: object,
  }
}

/** Prints until the end of the log, or without end; returns the exit code. */
export async function printEvents({ config, flags, say, complain }: Printing): Promise<number> {
  const target = await readTarget(config, flags)
  const { follow = false, json = false } = flags
  const print = (message: StreamMessage) =>
    say(json ? JSON.stringify({ position: message.position, ...message.data }) : describeEvent(message))
  let selection = selectionOf(flags)
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    try {
      for await (const message of readEvents(target, selection)) {
        pause = FIRST_PAUSE_MS
        if (message.type === 'message') print(message)
        selection = { ...selection, after: message.position }
        if (!follow && isAtEnd(message)) return 0
      }
    } catch (error) {
      if (!(error instanceof StreamEnded)) throw error
      complain(describeEnd(error, follow, pause))
      if (error.isFinal || !follow) return 1
    }
    await sleep(pause)
  }
}

function isAtEnd({ type, data }: StreamMessage): boolean {
  return type === 'heartbeat' && data.lag === '0'
}

function describeEnd({ message, isFinal }: StreamEnded, follow: boolean, pause: number): string {
  return isFinal || !follow ? message : `${message} Trying again in ${pause / 1000} s.`
}
