/** The language of the console, and the texts of an area in it. A text that is missing in one language does not compile. */
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from 'react'
import { LANGUAGES, type Language, type Texts } from './languages.ts'

export { LANGUAGES, type Language, type Texts, textAt } from './languages.ts'

const KEY = 'signet.language'

interface LanguageChoice {
  readonly language: Language
  setLanguage(language: Language): void
}

const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage() {} })

function languageOf(tag: string | null): Language | undefined {
  const primary = tag?.toLowerCase().split('-', 1)[0] ?? ''
  return Object.hasOwn(LANGUAGES, primary) ? (primary as Language) : undefined
}

function initialLanguage(): Language {
  return languageOf(localStorage.getItem(KEY)) ?? navigator.languages.map(languageOf).find(Boolean) ?? 'en'
}

/** Gives the language to everything below: the chosen one, else the browser's, else English. */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language
  }, [language])
  const choice = useMemo(
    () => ({
      language,
      setLanguage(next: Language) {
        localStorage.setItem(KEY, next)
        setLanguage(next)
      },
    }),
    [language],
  )
  return <LanguageContext value={choice}>{children}</LanguageContext>
}

/** The language, and how to change it. */
export function useLanguage(): LanguageChoice {
  return use(LanguageContext)
}

/** The texts of an area in the current language. */
export function useTexts<Shape>(texts: Texts<Shape>): Shape {
  return texts[use(LanguageContext).language]
}
