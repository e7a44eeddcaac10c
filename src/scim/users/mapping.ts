/**
 * What of a SCIM user is stored where: fields of the user, and metadata for what has no field. `docs/guides/directory-sync.md`
 * has it as a table.
 */
import { phoneNumber } from '../../features/humans/index.ts'
import { type HumanUser, isDeactivated } from '../../features/users/index.ts'
import { ScimError } from '../errors.ts'
import {
  isList,
  isObject,
  isUnset,
  type Json,
  member,
  newValues,
  parsed,
  type Resource,
  textIn,
  type Values,
} from '../values.ts'
import { ENTERPRISE_SCHEMA, USER } from './schema.ts'

/** Texts of metadata by what they are about; the key is this name behind a prefix. */
export type Extras = ReadonlyMap<string, string>

const NAME_PARTS = ['middleName', 'honorificPrefix', 'honorificSuffix'] as const
const TEXTS = ['profileUrl', 'title', 'userType', 'locale', 'timezone'] as const
const LISTS = ['ims', 'photos', 'addresses', 'entitlements', 'roles', 'x509Certificates'] as const

/** Everything that is kept as metadata, beside `externalId`. */
export const EXTRA_NAMES: readonly string[] = [
  ...NAME_PARTS.map((part) => `name.${part}`),
  ...TEXTS,
  ...LISTS,
  'emails',
  'phoneNumbers',
  'enterprise',
  'other',
  'unset',
]

/** What always has a value here, and can be taken away from a resource nevertheless: `active` of those who are not, too. */
const ALWAYS_THERE = ['displayName', 'active'] as const
const INACTIVE = 'inactive'

const LONGEST_EXTRA = 65_536
const LONGEST_OTHERS = 16_384

function invalid(path: string, description: string): ScimError {
  return new ScimError(400, `${path}: ${description}`, 'invalidValue')
}

function listIn(extras: Extras, name: string): readonly Json[] {
  const list = parsed(extras.get(name))
  return isList(list) ? list.filter(isObject) : []
}

const isPrimary = (value: Json) => member(value, 'primary') === true

/** The primary value of a list, or else its first. */
function mainOf(list: Json | undefined): Json | undefined {
  const values = isList(list) ? list : []
  return values.find(isPrimary) ?? values[0]
}

/** A list whose main value is this one, whatever it was when the list was stored. */
function withMain(list: readonly Json[], value: string): readonly Json[] {
  const isMain = (one: Json) => textIn(one, 'value').toLowerCase() === value.toLowerCase()
  if (isMain(mainOf(list) ?? null)) return list
  const isKnown = list.some(isMain)
  const others = (isKnown ? list : list.filter((one) => one !== mainOf(list))).map((one) =>
    newValues({ ...(one as Values), primary: isMain(one) }),
  )
  return isKnown ? others : [newValues({ value, primary: true }), ...others]
}

/** A list in which the main value is primary, unless the directory says that none is. */
function withPrimary(list: Json | undefined): readonly Json[] {
  const main = mainOf(list)
  if (!isList(list) || main === undefined || member(main, 'primary') !== undefined) return isList(list) ? list : []
  return list.map((one) => (one === main ? newValues({ ...(one as Values), primary: true }) : one))
}

function phonesOf({ phone }: HumanUser, extras: Extras): readonly Json[] {
  const list = listIn(extras, 'phoneNumbers')
  if (phone !== undefined) return withMain(list, phone.number)
  // A number in the form that the user had was removed elsewhere; another one was never one to call.
  return list.filter((one) => !(isPrimary(one) && /^\+\d+$/.test(textIn(one, 'value'))))
}

/** The attributes of a user, without those that every resource has. */
export function attributesOf(user: HumanUser, extras: Extras, externalId: string | undefined): Resource {
  const { profile, email, userName } = user
  const { displayName, nickName, preferredLanguage } = profile
  const name = newValues({ formatted: displayName, familyName: profile.lastName, givenName: profile.firstName })
  for (const part of NAME_PARTS) name[part] = extras.get(`name.${part}`) ?? null
  const values: Record<string, Json | undefined> = {
    externalId,
    userName,
    name: newValues(Object.fromEntries(Object.entries(name).filter(([, value]) => !isUnset(value)))),
    displayName,
    nickName,
    preferredLanguage,
    active: !isDeactivated(user),
    emails: withMain(listIn(extras, 'emails'), email.address),
    phoneNumbers: phonesOf(user, extras),
  }
  for (const text of TEXTS) values[text] = extras.get(text)
  for (const list of LISTS) values[list] = listIn(extras, list)
  const ordered: Record<string, Json | undefined> = {}
  for (const attribute of USER.attributes) ordered[attribute.name] = values[attribute.name]
  ordered[ENTERPRISE_SCHEMA] = parsed(extras.get('enterprise'))
  const others = parsed(extras.get('other'))
  const unset = parsed(extras.get('unset'))
  // A state that others have changed since is shown.
  for (const name of isList(unset) ? unset : []) {
    if (name === INACTIVE ? ordered.active === false : name !== 'active' || ordered.active === true) {
      delete ordered[name === INACTIVE ? 'active' : `${name}`]
    }
  }
  const all: Record<string, Json | undefined> = { ...(isObject(others) ? others : {}), ...ordered }
  return newValues(Object.fromEntries(Object.entries(all).filter(([, value]) => !isUnset(value))))
}

/** A user as a directory wants it to be. */
export interface WantedUser {
  readonly userName: string
  readonly profile: {
    readonly firstName: string
    readonly lastName: string
    readonly nickName: string
    readonly displayName: string
    readonly preferredLanguage: string
  }
  readonly email: string
  /** In E.164 form; empty for none. */
  readonly phone: string
  readonly password: string | undefined
  /** Undefined: as it is. */
  readonly isActive: boolean | undefined
  readonly externalId: string | undefined
  /** What is not in here has no value. */
  readonly extras: Extras
}

function checkLocale(tag: string): void {
  try {
    const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
    if (names.of(new Intl.Locale(tag.replaceAll('_', '-')).language) !== undefined) return
  } catch {
    // Not a tag at all.
  }
  throw invalid('locale', 'must be a language tag such as de-CH (BCP 47)')
}

function checkTimezone(timeZone: string): void {
  try {
    new Intl.DateTimeFormat('en', { timeZone })
  } catch {
    throw invalid('timezone', 'must be a name of the IANA time zone database, such as Europe/Zurich')
  }
}

function checkUrl(path: string, url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw invalid(path, 'must be an http or https address')
  }
}

/** A list as it is stored: in the order of the schema, without empty members. */
function storedList(name: string, list: readonly Json[]): string {
  const parts = USER.attributes.find((attribute) => attribute.name === name)?.parts ?? []
  const shown = list.map((one) => {
    const ordered: Record<string, Json> = {}
    for (const part of parts) {
      const value = member(one, part.name)
      if (part.name === 'primary' && name === 'emails') ordered.primary = value === true
      else if (!isUnset(value)) ordered[part.name] = value
    }
    return ordered
  })
  return JSON.stringify(shown)
}

function othersOf(resource: Resource): Record<string, Json> {
  const known = new Set([...USER.attributes.map(({ name }) => name), ENTERPRISE_SCHEMA, 'schemas', 'id', 'meta'])
  return Object.fromEntries(Object.entries(resource).filter(([name]) => !known.has(name)))
}

function emailOf(resource: Resource): string {
  const address = textIn(mainOf(member(resource, 'emails')), 'value')
  if (address !== '') return address
  // Directories have people without a mailbox, whose name is written like an address.
  const userName = textIn(resource, 'userName')
  if (userName.includes('@')) return userName
  throw invalid('emails', 'is required')
}

/** The list of phone numbers with the main one in E.164 form, if it can be called. */
function phonesIn(resource: Resource): { readonly number: string; readonly list: readonly Json[] } {
  const list = withPrimary(member(resource, 'phoneNumbers'))
  const main = mainOf(list)
  if (main === undefined) return { number: '', list: [] }
  const number = phoneNumber(textIn(main, 'value').replace(/^tel:/i, '')) ?? ''
  if (number === '') return { number, list }
  return { number, list: list.map((one) => (one === main ? newValues({ ...(one as Values), value: number }) : one)) }
}

/** What a PATCH has made a resource of. */
export interface Before {
  readonly resource: Resource
  readonly isInactive: boolean
}

/** What a PATCH has taken away: it has no value for the directory (RFC 7644 §3.5.2.2). */
function unsetIn(resource: Resource, before: Before | undefined): readonly (readonly [string, string])[] {
  if (before === undefined) return []
  const unset = ALWAYS_THERE.filter((name) => isUnset(member(resource, name)))
  const names = unset.map((name) => (name === 'active' && before.isInactive ? INACTIVE : name))
  return names.length === 0 ? [] : [['unset', JSON.stringify(names)]]
}

function plainPhone(value: string): string {
  return JSON.stringify([{ value, primary: true }])
}

function extrasOf(resource: Resource, phones: readonly Json[], phone: string): Extras {
  const extras = new Map<string, string>()
  const set = (name: string, text: string, most = LONGEST_EXTRA) => {
    if (text.length > most) throw invalid(name, 'is too long to be kept')
    extras.set(name, text)
  }
  for (const part of NAME_PARTS) {
    const text = textIn(member(resource, 'name'), part)
    if (text !== '') set(`name.${part}`, text)
  }
  for (const name of TEXTS) if (textIn(resource, name) !== '') set(name, textIn(resource, name))
  for (const name of LISTS) {
    const list = member(resource, name)
    if (isList(list) && list.length > 0) set(name, storedList(name, list))
  }
  const emails = withPrimary(member(resource, 'emails'))
  if (emails.length > 0) set('emails', storedList('emails', emails))
  // A number alone is that of the user.
  const isPlain = phones.length === 1 && phone !== '' && storedList('phoneNumbers', phones) === plainPhone(phone)
  if (phones.length > 0 && !isPlain) set('phoneNumbers', storedList('phoneNumbers', phones))
  const enterprise = member(resource, ENTERPRISE_SCHEMA)
  if (!isUnset(enterprise)) set('enterprise', JSON.stringify(enterprise))
  const others = othersOf(resource)
  if (!isUnset(others)) set('other', JSON.stringify(others), LONGEST_OTHERS)
  return extras
}

/** The name to show: of two that differ, the one that was changed. */
function displayNameOf(resource: Resource, before: Before | undefined): string {
  const displayName = textIn(resource, 'displayName')
  const formatted = textIn(member(resource, 'name'), 'formatted')
  if (before === undefined) return displayName || formatted
  const isNameNew = displayName !== textIn(before.resource, 'displayName')
  return isNameNew || formatted === textIn(member(before.resource, 'name'), 'formatted') ? displayName : formatted
}

/** Reads what a directory wants a user to be. */
export function wantedUser(resource: Resource, before?: Before): WantedUser {
  const name = member(resource, 'name')
  const userName = textIn(resource, 'userName')
  if (userName === '') throw invalid('userName', 'is required')
  for (const part of ['givenName', 'familyName']) {
    if (textIn(name, part).trim() === '') throw invalid(`name.${part}`, 'is required')
  }
  const [locale, timezone, profileUrl] = ['locale', 'timezone', 'profileUrl'].map((one) => textIn(resource, one))
  if (locale) checkLocale(locale)
  if (timezone) checkTimezone(timezone)
  if (profileUrl) checkUrl('profileUrl', profileUrl)
  const photos = member(resource, 'photos')
  for (const photo of isList(photos) ? photos : []) checkUrl('photos.value', textIn(photo, 'value'))
  const phones = phonesIn(resource)
  const active = member(resource, 'active')
  return {
    userName,
    profile: {
      firstName: textIn(name, 'givenName'),
      lastName: textIn(name, 'familyName'),
      nickName: textIn(resource, 'nickName'),
      displayName: displayNameOf(resource, before),
      preferredLanguage: textIn(resource, 'preferredLanguage'),
    },
    email: emailOf(resource),
    phone: phones.number,
    password: textIn(resource, 'password') || undefined,
    isActive: typeof active === 'boolean' ? active : undefined,
    externalId: textIn(resource, 'externalId') || undefined,
    extras: new Map([...extrasOf(resource, phones.list, phones.number), ...unsetIn(resource, before)]),
  }
}
