/** The front of this room: people who come in by the thousand. */
export {
  type Imported,
  type ImportedPerson,
  type ImportPerson,
  type Imports,
  type ImportsNeeds,
  openImports,
} from './importing.ts'
export { type ImportRefusal, importRefusals } from './refusals.ts'
