/** Thrown, and told to the observer, when this process is too old for the database. The message is for the operator. */
export class NodeOutdated extends Error {
  override readonly name = 'NodeOutdated'
}
