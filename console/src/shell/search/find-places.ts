/** Finds pages, settings and documentation by their names, in whichever language of the console, and by what people call them. */
import type { Permissions } from '../../access/permissions.ts'
import { GUIDES } from '../../places/guides.ts'
import { mayOpen, type NamedPage, PAGES } from '../../places/pages.ts'
import { SETTINGS, type SettingsSection, TASKS, type Task } from '../../places/settings.ts'
import { wordsFor } from '../../places/words.ts'
import { LANGUAGES, type Language } from '../../texts/languages.ts'
import { shellTexts } from '../texts/index.ts'
import { type Found, type FoundIn, rankOf, rankOfWords } from './found.ts'

const ALL = Object.keys(LANGUAGES) as Language[]

/** A place can be named in several ways: its name in another language counts less, a word for it as much as its name. */
function bestRank(
  namesIn: (language: Language) => string,
  text: string,
  language: Language,
  words: readonly string[] = [],
): number {
  const names = ALL.map((one) => rankOf(namesIn(one), text) * (one === language ? 2 : 1))
  return Math.max(...names, rankOfWords(words, text))
}

interface Ranked {
  readonly rank: number
  readonly found: Found
}

/** What matches, the best first. */
function best(ranked: readonly Ranked[]): readonly Ranked[] {
  return ranked.filter(({ rank }) => rank > 0).toSorted((one, other) => other.rank - one.rank)
}

function foundIn(ranked: readonly Ranked[]): readonly Found[] {
  return ranked.map(({ found }) => found)
}

function areaOf({ area, to }: NamedPage): NamedPage | undefined {
  return area === undefined || area === to ? undefined : PAGES.find((page) => page.to === area)
}

/** A page as it is found, in a language. */
function pageFound(page: NamedPage, language: Language): Found {
  const { navigation } = shellTexts[language]
  const area = areaOf(page)
  return {
    key: page.to,
    group: 'pages',
    label: navigation[page.name],
    detail: area === undefined ? '' : navigation[area.name],
    icon: page.icon,
    to: page.to,
  }
}

function taskFound({ to, name }: Task, language: Language): Found {
  return { key: to, group: 'pages', label: name(language), detail: '', icon: 'plus', to }
}

function mayDo({ permissions: needed, onInstance }: Task, permissions: Permissions): boolean {
  return onInstance ? needed.some((one) => permissions.can(one)) : mayOpen({ permissions: needed }, permissions)
}

function rankPages(text: string, language: Language, permissions: Permissions): readonly Ranked[] {
  const pages = PAGES.filter((page) => mayOpen(page, permissions)).map((page) => ({
    rank: bestRank((one) => shellTexts[one].navigation[page.name], text, language, wordsFor(page.to)),
    found: pageFound(page, language),
  }))
  const tasks = TASKS.filter((task) => mayDo(task, permissions)).map((task) => ({
    rank: bestRank(task.name, text, language, wordsFor(task.to)),
    found: taskFound(task, language),
  }))
  return best([...pages, ...tasks])
}

/** The pages that a user may open, and where they can create something. */
export function findPages(text: string, language: Language, permissions: Permissions): readonly Found[] {
  return foundIn(rankPages(text, language, permissions))
}

function settingsOf({ to, anchor, title, names }: SettingsSection, text: string, language: Language): Ranked[] {
  const page = PAGES.find((one) => one.to === to)
  if (page === undefined) return []
  const { navigation } = shellTexts[language]
  const area = areaOf(page)
  const path = [...(area ? [area] : []), page].map(({ name }) => navigation[name])
  const found = (label: string, detail: readonly string[], place: string): Found => {
    return { key: `${to}#${place}`, group: 'settings', label, detail: detail.join(' › '), icon: page.icon, to, anchor }
  }
  const section = {
    rank: bestRank(title, text, language, wordsFor(`${to}#${anchor}`)),
    found: found(title(language), path, anchor),
  }
  const settings = names(language).map((label, at) => ({
    rank: bestRank((one) => names(one)[at] ?? '', text, language),
    found: found(label, [...path, title(language)], `${anchor}/${at}`),
  }))
  return [section, ...settings]
}

function rankSettings(text: string, language: Language, permissions: Permissions): readonly Ranked[] {
  const readable = new Set(PAGES.filter((page) => mayOpen(page, permissions)).map(({ to }) => to))
  return best(SETTINGS.filter(({ to }) => readable.has(to)).flatMap((one) => settingsOf(one, text, language)))
}

/** The settings that a user may read. */
export function findSettings(text: string, language: Language, permissions: Permissions): readonly Found[] {
  return foundIn(rankSettings(text, language, permissions))
}

function rankGuides(text: string, language: Language): readonly Ranked[] {
  return best(
    GUIDES.map(({ href, title, words }) => ({
      rank: bestRank(() => title, text, language, words),
      found: { key: href, group: 'guides', label: title, detail: '', icon: 'help', to: href },
    })),
  )
}

const MOST_GUIDES = 3

/**
 * Everything of the console and its documentation that a text finds, in groups. The group with the best match comes first:
 * what somebody means is at the top, whichever kind it is. The documentation comes last, because it is read and not set.
 */
export function findPlaces(
  text: string,
  language: Language,
  permissions: Permissions,
  most: number,
): readonly FoundIn[] {
  const pages = { group: 'pages', ranked: rankPages(text, language, permissions).slice(0, most) } as const
  const settings = { group: 'settings', ranked: rankSettings(text, language, permissions).slice(0, most) } as const
  const guides = { group: 'guides', ranked: rankGuides(text, language).slice(0, MOST_GUIDES) } as const
  const rankOfBest = ({ ranked }: { readonly ranked: readonly Ranked[] }) => ranked[0]?.rank ?? 0
  const places = rankOfBest(settings) > rankOfBest(pages) ? [settings, pages] : [pages, settings]
  return [...places, guides].map(({ group, ranked }) => ({ group, found: foundIn(ranked) }))
}
