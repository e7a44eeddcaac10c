/** The facts of the house: what happened, named `noun.past_participle.vN`, and its payload. */

export type Fact<Type extends string, Data> = { readonly type: Type; readonly data: Data }

/** Any fact, for code that does not care which. */
export type AnyFact = Fact<string, unknown>
