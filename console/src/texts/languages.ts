/** The languages of the console by tag, with their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français' } as const

export type Language = keyof typeof LANGUAGES

/** The texts of one area in every language. */
export type Texts<Shape> = Readonly<Record<Language, Shape>>
