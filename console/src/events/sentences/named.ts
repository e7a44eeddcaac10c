/** Sentences that say who did what, with the names that the server gives. */
import type { Event, EventThing } from '../../../../contract/gen/signet/event/v1/event_pb.ts'
import { type Language, textAt } from '../../texts/languages.ts'
import { namedTexts } from '../texts/index.ts'
import { sentenceName } from './all.ts'

type NamedEvent = Pick<Event, 'type' | 'payload' | 'editor' | 'things'>
type Words = (typeof namedTexts)[Language]

function actorOf({ editor }: NamedEvent, words: Words): string {
  if (editor?.displayName) return editor.displayName
  const nobodies: Readonly<Record<string, string>> = {
    server: words.server,
    visitor: words.visitor,
    anonymous: words.anonymous,
    transmitter: words.transmitter,
  }
  return nobodies[editor?.service ?? ''] ?? words.remover
}

/** The names in a list of texts; roles are texts, too. */
function listOf(value: unknown, language: Language): string {
  const texts = Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
  return new Intl.ListFormat(language, { type: 'unit', style: 'short' }).format(texts)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The values of the sentences; what was removed is called so. */
function valuesOf(event: NamedEvent, language: Language) {
  const words = namedTexts[language]
  const { things, payload, editor } = event
  const thing = (...members: readonly string[]): EventThing | undefined =>
    members.map((member) => things.find((one) => one.member === member)).find((one) => one !== undefined)
  const nameOf = (...members: readonly string[]) => {
    const found = thing(...members)
    return found?.name || (found?.type === 'user' ? words.somebody : words.something)
  }
  const object = thing('object')
  const roleNames = listOf(payload?.roleKeys ?? payload?.roles, language)
  const place = thing('scopeId', 'projectId')?.name || (object?.type === 'organization' ? object.name : '')
  return {
    actor: actorOf(event, words),
    self: object !== undefined && object.id === editor?.userId ? 'yes' : 'no',
    object: nameOf('object'),
    user: nameOf('userId', 'object'),
    project: nameOf('projectId'),
    organization: nameOf('grantedOrganizationId', 'organizationId'),
    group: nameOf('groupId'),
    application: nameOf('applicationId', 'object'),
    provider: nameOf('idpId'),
    roleNames,
    roles: roleNames === '' ? 'none' : 'some',
    place: place === '' ? 'none' : place,
    name: textOf(payload?.displayName ?? payload?.name ?? payload?.domain ?? payload?.key),
  }
}

function actingSentence({ payload }: NamedEvent, words: Words): string | undefined {
  const given = payload?.delegation
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return undefined
  const { agent, user } = given
  return typeof agent === 'string' && typeof user === 'string' ? words.acting({ agent, user }) : undefined
}

/** The sentence of an event with names in it; undefined where the server named nothing. */
export function namedSentence(event: NamedEvent, language: Language): string | undefined {
  const name = sentenceName(event.type?.type ?? '')
  const words = namedTexts[language]
  const acting = name === 'grant.opened' ? actingSentence(event, words) : undefined
  if (acting !== undefined) return acting
  const sentence = textAt(words.named as Readonly<Record<string, (values: never) => string>>, name)
  return event.things.length === 0 ? undefined : sentence?.(valuesOf(event, language) as never)
}
