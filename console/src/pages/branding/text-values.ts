/** The texts of the hosted pages as the form of an area has them. Pure. */
import {
  type CustomizableText,
  PAGE_TEXT_AREAS,
  type PageTextArea,
} from '../../../../src/features/settings/page-texts/catalogue.ts'
import { fillPlaces } from '../../../../src/kernel/placeholders.ts'

export interface Listed {
  readonly key: string
  readonly text: string
}

/** The areas in the order of the pages. */
export const AREAS = Object.keys(PAGE_TEXT_AREAS) as readonly PageTextArea[]

/** The texts of an area by key. */
export function textsOfArea(area: PageTextArea): readonly (readonly [key: string, text: CustomizableText])[] {
  return Object.entries<CustomizableText>(PAGE_TEXT_AREAS[area])
}

/** Dots have a meaning in the paths of a form. */
export function fieldOfKey(key: string): string {
  return key.replaceAll('.', '/')
}

/** The values of the form of an area: empty where nothing is set. */
export function valuesOf(area: PageTextArea, own: readonly Listed[]): Record<string, string> {
  const found = new Map(own.map(({ key, text }) => [key, text]))
  return Object.fromEntries(textsOfArea(area).map(([key]) => [fieldOfKey(key), found.get(key) ?? '']))
}

/** All texts of the owner after the form of an area was filled in; the other areas stay as they are. */
export function listOf(
  area: PageTextArea,
  values: Readonly<Record<string, string>>,
  own: readonly Listed[],
): readonly Listed[] {
  const keys = textsOfArea(area).map(([key]) => key)
  const given = keys.map((key) => ({ key, text: (values[fieldOfKey(key)] ?? '').trim() }))
  const others = own.filter(({ key }) => !keys.includes(key)).map(({ key, text }) => ({ key, text }))
  return [...others, ...given.filter(({ text }) => text !== '')]
}

const SAMPLES = {
  UserName: 'ada',
  ApplicationName: 'Shop',
  ProviderName: 'Example',
  EmailAddress: 'ada@example.com',
}

/** A text with sample values in its placeholders. */
export function withSamples(text: string): string {
  return fillPlaces(text, SAMPLES)
}
