/**
 * What happens on a connection stays on that connection. An error that a listener throws would reach the process, which
 * ends then (see `endOnFault`): a few bytes of one peer would end everybody's requests. So every emitter of the port
 * (listeners, sockets, sessions, streams, requests, responses) passes through `contain` when it is made, before anybody
 * can listen to it, and whatever else runs for it later passes through `runContained`.
 */
import { EventEmitter } from 'node:events'

/** Is told about an error that was contained. */
export type ReportFault = (error: unknown) => void

const REPORT = Symbol('reports faults')

interface Contained extends EventEmitter {
  [REPORT]?: ReportFault
  destroy?(): unknown
}

/** From now on, an error of a listener ends this emitter, or what its event is about, and nothing else. */
export function contain(emitter: EventEmitter, report: ReportFault): void {
  const contained = emitter as Contained
  contained[REPORT] = report
  contained.emit = emitContained
}

/** Runs what is done for an emitter outside of its events: by a timer, in a later turn, as a promise. */
export function runContained(emitter: EventEmitter, run: () => void | Promise<void>): void {
  try {
    run()?.catch((error: unknown) => end(emitter, error))
  } catch (error) {
    end(emitter, error)
  }
}

// One function for all emitters: a function for each would be made with each request.
function emitContained(this: EventEmitter, ...event: [string | symbol, ...unknown[]]): boolean {
  try {
    return EventEmitter.prototype.emit.apply(this, event)
  } catch (error) {
    end(this, error, event)
    return true
  }
}

function end(emitter: Contained, error: unknown, about: readonly unknown[] = []): void {
  attempt(() => emitter[REPORT]?.(error))
  if (emitter.destroy !== undefined) attempt(() => emitter.destroy?.())
  // A server outlives a connection that it could not take.
  else for (const one of about) if (isDestroyable(one)) attempt(() => one.destroy())
}

function isDestroyable(value: unknown): value is { destroy(): unknown } {
  return typeof value === 'object' && value !== null && 'destroy' in value && typeof value.destroy === 'function'
}

/** What is being ended may be in any state. */
function attempt(run: () => void): void {
  try {
    run()
  } catch {
    // It is ended already, or its report failed: there is nobody left to tell.
  }
}
