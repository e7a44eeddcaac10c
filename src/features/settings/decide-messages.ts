/** The rules of the settings about languages, and about how codes look. Pure. */

import { accept, refuse } from '../../kernel/decider.ts'
import { languageOf } from '../../kernel/languages.ts'
import type { SettingsEvent } from './events.ts'
import { generatorProblem } from './generators.ts'
import { type SettingsDecision, set } from './set-value.ts'
import type { Generator, GeneratorName } from './values.ts'

/** Missing settings are not set here. */
export interface MessagesState {
  /** The languages that users can choose; all supported ones when there are none. */
  readonly allowedLanguages?: readonly string[]
  readonly generators?: Readonly<Partial<Record<GeneratorName, Generator>>>
}

export type MessagesCommand =
  | { readonly type: 'allow_languages'; readonly languages: readonly string[] }
  | { readonly type: 'set_generator'; readonly name: GeneratorName; readonly value: Generator }

type MessagesEvent = Extract<SettingsEvent, { readonly type: `settings.${'languages' | 'generator'}_${string}` }>

/** The state after an event of these settings. */
export function evolveMessages<State extends MessagesState>(state: State, event: MessagesEvent): State {
  switch (event.type) {
    case 'settings.languages_allowed.v1':
      return { ...state, allowedLanguages: event.data.languages }
    case 'settings.generator_set.v1': {
      const { name, ...value } = event.data
      return { ...state, generators: { ...state.generators, [name]: value } }
    }
  }
}

function allowLanguages(
  languages: readonly string[],
  { allowedLanguages = [], defaultLanguage = 'en' }: MessagesState & { readonly defaultLanguage?: string },
): SettingsDecision {
  if (languages.some((language) => languageOf(language) !== language)) return refuse('settings.language_unsupported')
  if (languages.length > 0 && !languages.includes(defaultLanguage)) return refuse('settings.default_language_needed')
  const isSame =
    languages.length === allowedLanguages.length && languages.every((one) => allowedLanguages.includes(one))
  return isSame ? accept() : accept({ type: 'settings.languages_allowed.v1', data: { languages } })
}

/** Decides about these settings. */
export function decideMessages(
  command: MessagesCommand,
  state: MessagesState & { readonly defaultLanguage?: string },
): SettingsDecision {
  switch (command.type) {
    case 'allow_languages':
      return allowLanguages(command.languages, state)
    case 'set_generator': {
      const { name, value } = command
      const problem = generatorProblem(name, value)
      if (problem !== undefined) return refuse(problem)
      const event = { type: 'settings.generator_set.v1', data: { name, ...value } } as const
      return set('put', state.generators?.[name], value, event)
    }
  }
}
