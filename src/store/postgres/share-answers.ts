/** Equal questions at the same time get one answer. */

interface Asked<Value> {
  readonly answer: Promise<Value>
  /** Asked when this one is answered, for all who came in between. */
  next?: Promise<Value>
}

/**
 * Asks at once when the same is not being asked already. Who comes while it is waits for the next time, together with
 * all others: nobody gets what was read before they asked, and however many ask, no more than one is under way. What
 * every request of one caller asks costs the database as much as a few of them.
 */
export function shareAnswers<Value>(): (question: string, ask: () => Promise<Value>) => Promise<Value> {
  const underWay = new Map<string, Asked<Value>>()

  const begin = (question: string, ask: () => Promise<Value>): Promise<Value> => {
    const asked: Asked<Value> = { answer: ask() }
    underWay.set(question, asked)
    const end = () => {
      if (asked.next === undefined) underWay.delete(question)
    }
    asked.answer.then(end, end)
    return asked.answer
  }

  return (question, ask) => {
    const asked = underWay.get(question)
    if (asked === undefined) return begin(question, ask)
    const again = () => begin(question, ask)
    asked.next ??= asked.answer.then(again, again)
    return asked.next
  }
}
