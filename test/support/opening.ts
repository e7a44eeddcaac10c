/** Opens what a test needs, part by part: when a part cannot be opened, what was opened before it is closed again. */

/** Something that a test closes when it is done with it. */
export interface Disposable {
  dispose(): Promise<void>
}

/** Closes what was registered, the last first, when `open` fails; the error of `open` is what the caller gets. */
export async function opening<Value>(open: (opened: AsyncDisposableStack) => Promise<Value>): Promise<Value> {
  await using opened = new AsyncDisposableStack()
  const value = await open(opened)
  // Nothing failed: from now on the caller closes it.
  opened.move()
  return value
}

/** Opens a world and then what belongs to it. */
export function openingOn<World extends Disposable, Value>(
  world: Promise<World>,
  open: (world: World) => Promise<Value>,
): Promise<Value> {
  return opening(async (opened) => {
    const first = await world
    opened.defer(() => first.dispose())
    return open(first)
  })
}
