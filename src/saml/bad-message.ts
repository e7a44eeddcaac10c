/** Why a message of a service provider is not followed, in a sentence for whoever set it up. The user sees a page. */
export class BadMessage extends Error {
  override readonly name = 'BadMessage'
  readonly status: number

  constructor(message: string, status = 400) {
    super(message)
    this.status = status
  }
}
