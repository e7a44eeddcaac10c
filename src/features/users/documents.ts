/** The kind `user`: its search fields, and the claim on usernames. */
import { kind } from '../../store/index.ts'
import { noticeAfter } from '../mail/index.ts'
import { user } from './decider.ts'
import { type UserEvent, userEvents } from './events.ts'
import { userRefusals } from './refusals.ts'
import { isLiving, type User } from './state.ts'

/** The claim that makes a user name unique; its value is `userNameClaim`. */
export const USER_NAME_CLAIM = 'username'

/**
 * The value of the claim on a username: its key, unique on the instance, or combined with an organization that has its
 * own scope. No key contains a line break, so the two forms are never equal.
 */
export function userNameClaim(key: string, nameScope?: string): string {
  return nameScope === undefined ? key : `${key}\n${nameScope}`
}

/** Fields named `typed…` keep the case, for case-sensitive filters. They are beside the folded ones in their indexes. */
export const users = kind({
  name: 'user',
  ids: 'chosen',
  waits: false,
  path: false,
  version: 5,
  personal: { by: 'id' },
  events: userEvents,
  decider: user,
  refusals: userRefusals,
  fields: {
    userName: { path: ['search', 'userName'], type: 'text', beside: ['typedUserName', 'owner'] },
    displayName: {
      path: ['search', 'displayName'],
      type: 'text',
      beside: ['typedDisplayName', 'typedMachineName', 'owner'],
    },
    email: { path: ['search', 'email'], type: 'text', beside: ['typedEmail', 'owner'] },
    provenEmail: { path: ['search', 'provenEmail'], type: 'text', sparse: true },
    firstName: { path: ['search', 'firstName'], type: 'text', beside: ['typedFirstName'] },
    lastName: { path: ['search', 'lastName'], type: 'text', beside: ['typedLastName'] },
    nickName: { path: ['search', 'nickName'], type: 'text', beside: ['typedNickName'] },
    status: { path: ['status'], type: 'text', selective: false, beside: ['owner'] },
    type: { path: ['type'], type: 'text', selective: false, beside: ['owner'] },
    phone: { path: ['phone', 'number'], type: 'text', sparse: true },
    directory: { path: ['managedBy', 'directoryId'], type: 'text', sparse: true },
    typedUserName: { path: ['userName'], type: 'text', indexed: false },
    typedFirstName: { path: ['profile', 'firstName'], type: 'text', indexed: false },
    typedLastName: { path: ['profile', 'lastName'], type: 'text', indexed: false },
    typedNickName: { path: ['profile', 'nickName'], type: 'text', indexed: false },
    typedDisplayName: { path: ['profile', 'displayName'], type: 'text', indexed: false },
    typedMachineName: { path: ['name'], type: 'text', indexed: false },
    typedEmail: { path: ['email', 'address'], type: 'text', indexed: false },
  },
  claims: (state) =>
    isLiving(state)
      ? [
          {
            kind: USER_NAME_CLAIM,
            within: { instance: 'Names can be unique within the organization, and then begin with its ID.' },
            value: userNameClaim(state.search.userName, state.nameScope),
            taken: 'user.username_taken',
          },
        ]
      : [],
  isGone: (state) => state.status === 'removed',
  jobAfter: (event, { id, before }) => noticeOf(event, id, before),
})

/** An address that is no longer used is told of it if it was verified. */
function noticeOf(event: UserEvent, id: string, before: User) {
  switch (event.type) {
    case 'user.email_changed.v1': {
      const email = isLiving(before) && before.type === 'human' ? before.email : undefined
      const isReplaced = email?.isVerified === true && email.address !== event.data.address
      return isReplaced ? noticeAfter(event, id, { to: email.address }) : undefined
    }
    case 'user.deletion_requested.v1':
      return noticeAfter(event, id, { detail: new Date(event.data.dueAt).toISOString().slice(0, 10) })
    default:
      return noticeAfter(event, id)
  }
}

/** A name by which users can be filtered or sorted. */
export type UserField = keyof typeof users.fields & string
