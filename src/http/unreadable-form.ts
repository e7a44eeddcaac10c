/** The refusal of a body that is not the form that was asked for. */

/** The body is not a form, or is too long. */
export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: 413 | 415

  constructor(status: 413 | 415) {
    super(status === 413 ? 'the form is too large' : 'the body is not a form')
    this.status = status
  }
}
