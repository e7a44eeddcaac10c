/** Finds pages and settings by their names, in whichever language of the console they are typed. */
import type { Permissions } from '../../access/permissions.ts'
import { mayOpen, type NamedPage, PAGES } from '../../places/pages.ts'
import { SETTINGS, type SettingsSection, TASKS, type Task } from '../../places/settings.ts'
import { LANGUAGES, type Language } from '../../texts/languages.ts'
import { shellTexts } from '../texts/index.ts'
import { type Found, rankOf } from './found.ts'

const ALL = Object.keys(LANGUAGES) as Language[]

/** A page can be named in several ways; that of another language counts less. */
function bestRank(namesIn: (language: Language) => string, text: string, language: Language): number {
  return Math.max(...ALL.map((one) => rankOf(namesIn(one), text) * (one === language ? 2 : 1)))
}

interface Ranked {
  readonly rank: number
  readonly found: Found
}

function best(ranked: readonly Ranked[]): readonly Found[] {
  const matching = ranked.filter(({ rank }) => rank > 0)
  return matching.toSorted((one, other) => other.rank - one.rank).map(({ found }) => found)
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

/** The pages that a user may open, and where they can create something. */
export function findPages(text: string, language: Language, permissions: Permissions): readonly Found[] {
  const pages = PAGES.filter((page) => mayOpen(page, permissions)).map((page) => ({
    rank: bestRank((one) => shellTexts[one].navigation[page.name], text, language),
    found: pageFound(page, language),
  }))
  const tasks = TASKS.filter((task) => mayDo(task, permissions)).map((task) => ({
    rank: bestRank(task.name, text, language),
    found: taskFound(task, language),
  }))
  return best([...pages, ...tasks])
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
    rank: bestRank(title, text, language),
    found: found(title(language), path, anchor),
  }
  const settings = names(language).map((label, at) => ({
    rank: bestRank((one) => names(one)[at] ?? '', text, language),
    found: found(label, [...path, title(language)], `${anchor}/${at}`),
  }))
  return [section, ...settings]
}

/** The settings that a user may read. */
export function findSettings(text: string, language: Language, permissions: Permissions): readonly Found[] {
  const readable = new Set(PAGES.filter((page) => mayOpen(page, permissions)).map(({ to }) => to))
  return best(SETTINGS.filter(({ to }) => readable.has(to)).flatMap((one) => settingsOf(one, text, language)))
}
