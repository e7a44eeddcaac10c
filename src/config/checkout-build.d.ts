/** The types of `checkout-build.js`, which is plain JavaScript. */

export declare const folder: string
export declare const STATE_FILE: string
export declare function stateOfSources(): string
export declare function findBuild(script?: string): string | undefined
