/** Lets concurrent equal queries share one answer. */

interface Running<Value> {
  readonly answer: Promise<Value>
  /** Starts when this one is answered, for all callers that came in between. */
  next?: Promise<Value>
}

/**
 * Returns a function that runs `ask` at once when no equal query is running. Callers that come while one is running wait
 * for it and then share the next one. So no caller gets an answer that was read before its call, and at most one equal
 * query runs at a time: a query that every request makes costs the database as much as a few of them.
 */
export function shareAnswers<Value>(): (key: string, ask: () => Promise<Value>) => Promise<Value> {
  const running = new Map<string, Running<Value>>()

  const begin = (key: string, ask: () => Promise<Value>): Promise<Value> => {
    const asked: Running<Value> = { answer: ask() }
    running.set(key, asked)
    const end = () => {
      if (asked.next === undefined) running.delete(key)
    }
    asked.answer.then(end, end)
    return asked.answer
  }

  return (key, ask) => {
    const asked = running.get(key)
    if (asked === undefined) return begin(key, ask)
    const again = () => begin(key, ask)
    asked.next ??= asked.answer.then(again, again)
    return asked.next
  }
}
