/**
 * What a user saw when they allowed an application something, as digests. A consent counts while all of that is true: with
 * another name, another place that the code is sent to, or another sentence for a scope, it was given to something else. Pure.
 */
/** The digests of what was shown. */
export interface Picture {
  /** Of the application and the resource. */
  readonly frame: string
  /** Of each place that codes are sent to, with its host. */
  readonly places: readonly string[]
  /** Of each scope, with its sentence. */
  readonly scopes: readonly string[]
}

function areIn(some: readonly string[], all: readonly string[]): boolean {
  return some.every((one) => all.includes(one))
}

/** Whether everything in one picture is in another one, of the same application. */
export function isWithin(one: Picture, other: Picture | undefined): boolean {
  return (
    other !== undefined &&
    one.frame === other.frame &&
    areIn(one.places, other.places) &&
    areIn(one.scopes, other.scopes)
  )
}

/** Whether two pictures are of the same application and lead to the same places; they may show other scopes. */
export function isSameFrame(one: Picture | undefined, other: Picture | undefined): boolean {
  if (one === undefined || other === undefined) return one === other
  return one.frame === other.frame && areIn(one.places, other.places) && areIn(other.places, one.places)
}

/**
 * Whether a grant with one picture rests on a consent with the other: the consent shows the same application and all places of
 * the grant. A device has none.
 */
export function restsOn(granted: Picture | undefined, given: Picture | undefined): boolean {
  return granted === undefined ? given === undefined : isWithin({ ...granted, scopes: [] }, given)
}

/** A picture that shows the scopes of both. */
export function joinedWith(picture: Picture, before: Picture | undefined): Picture {
  if (before === undefined || !isSameFrame(picture, before)) return picture
  return { ...picture, scopes: [...new Set([...before.scopes, ...picture.scopes])] }
}
