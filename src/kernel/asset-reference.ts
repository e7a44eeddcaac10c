/** How documents refer to an uploaded file. */
export interface AssetReference {
  readonly id: string
  /** Hash and ending: `3f…c1.png`. */
  readonly file: string
}
