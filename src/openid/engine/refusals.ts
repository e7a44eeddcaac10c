/** What a page can say of a request that the engine refused because of its client. */

/** What was wrong with a request, as far as its page can say it. */
export type ExplainedRefusal =
  | { readonly what: 'client'; readonly clientId: string }
  | {
      readonly what: 'redirect_uri'
      readonly applicationName: string
      readonly address: string
      /** Where the person who is signed in can register the address; undefined: they may not. */
      readonly correctedAt?: string
    }
