/** JSON values, for events that carry what others define. */
export type JsonValue = string | number | boolean | null | JsonObject | JsonValue[]

/** A JSON object. */
export interface JsonObject {
  [member: string]: JsonValue
}
