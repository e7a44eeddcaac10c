/** A webhook that messages are posted to. */
export interface WebhookValues {
  readonly endpoint: string
  readonly description: string
  readonly signingKey: string
  readonly isActive: boolean
}
