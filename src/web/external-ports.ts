/** What the pages for signing in with identity providers need of the rooms. */
import type { Failure, Person } from '../features/sign-in/person.ts'

/** A provider as a button shows it. */
export interface OfferedProvider {
  readonly id: string
  readonly name: string
  readonly look: 'google' | 'plain'
}

/** What a browser brings back of a sign-in elsewhere; only the browser that began holds the cookie that goes with it. */
export interface ForeignProof {
  readonly intentId: string
  readonly token: string
}

/** What somebody new says about themself. */
export interface Registration {
  readonly firstName: string
  readonly lastName: string
  readonly userName: string
  readonly email: string
}

export type RegistrationField = keyof Registration

/** An account at a provider that somebody has just signed in with. */
export interface ForeignAccount {
  readonly outcome: 'read'
  readonly providerName: string
  /** What it is called there. */
  readonly accountName: string
  /** Whose it is here; undefined: nobody's yet. */
  readonly userId: string | undefined
  /** Whether the policy lets somebody who has an account here link it; who is signed in must belong to the provider. */
  readonly mayLink: boolean
  /** Whether the policy lets somebody new have an account here. */
  readonly mayRegister: boolean
  /** What the provider tells about somebody new; empty where it tells nothing. */
  readonly known: Registration
}

export interface NewForeignSignIn {
  readonly idpId: string
  /** The organization that the visit is about. */
  readonly organizationId: string | undefined
  /** What the browser keeps in its cookie. */
  readonly browser: string
  readonly successUrl: string
  readonly failureUrl: string
}

export interface ExternalPort {
  /** What people of an organization can sign in with, without one those of the first; none when it is not allowed. */
  offered(organizationId: string | undefined): Promise<readonly OfferedProvider[]>
  /** What a person can show once more that it is them with. */
  linkedTo(person: Person): Promise<readonly OfferedProvider[]>
  /** The name of a provider, for a sentence about it. */
  nameOf(idpId: string): Promise<string | undefined>
  /** `unavailable`: the provider does not answer as it should. */
  start(
    given: NewForeignSignIn,
  ): Promise<
    { readonly outcome: 'started'; readonly url: string } | { readonly outcome: 'refused' | 'unavailable' | 'busy' }
  >
  /** Who came back; nothing is used up by looking. */
  read(proof: ForeignProof, person: Person | undefined): Promise<ForeignAccount | Failure>
  /** Links the account to a person who has said yes; the proof is used up. */
  link(person: Person, proof: ForeignProof): Promise<{ readonly outcome: 'done' } | Failure>
  /** Adds a person with this account, in one commit. `mistaken` names the fields that cannot be so. */
  register(
    proof: ForeignProof,
    given: Registration & { readonly language: string },
  ): Promise<
    | { readonly outcome: 'done'; readonly userId: string }
    | { readonly outcome: 'mistaken'; readonly fields: readonly RegistrationField[] }
    | Failure
  >
}
