/** The refusal of a body that is not the form, or the JSON, that was asked for. */

const REASONS = {
  400: 'the body cannot be read',
  413: 'the body is too large',
  415: 'the body is of another type',
} as const

/** The body cannot be read as what its type says, is too long, or is of another type. */
export class UnreadableForm extends Error {
  override readonly name = 'UnreadableForm'
  readonly status: 400 | 413 | 415

  constructor(status: 400 | 413 | 415) {
    super(REASONS[status])
    this.status = status
  }
}
