/** What this room is given by whoever wires the house. */

import type { NewId } from '../../kernel/id.ts'
import type { Clock } from '../../kernel/instant.ts'
import type { Store } from '../../store/index.ts'
import type { Vault } from '../instances/index.ts'
import type { Inbox } from './inbox.ts'
import type { SendMail } from './transport.ts'

export interface MailNeeds {
  readonly store: Store
  readonly vault: Vault
  readonly newId: NewId
  readonly instanceId: string
  readonly clock: Clock
  /** How mail leaves; `openTransport` of this room speaks SMTP. */
  readonly send: SendMail
  /** The language of an organization's users who prefer none; not given: English. */
  readonly defaultLanguage?: (organizationId: string) => Promise<string>
  /** How long one request may wait for a mail: less than the port gives it. Not given: 29 seconds. */
  readonly longestWaitMilliseconds?: number
}

/** What the methods of this room need. */
export interface MailMethodNeeds extends MailNeeds {
  readonly inbox: Inbox
}
