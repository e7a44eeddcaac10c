/** Backups, moves and checks of a database. */
export { Ahead, isBefore } from './ahead.ts'
export { readBackup, readHeader, writeBackup } from './backup-file.ts'
export { currentDocuments } from './current-documents.ts'
export { DatabaseRefused, type EventLine, type Loader, type Snapshot } from './types.ts'
export type { UpgradePlan } from './upgrade-plan.ts'
export { newVerification, type Verification, verify } from './verify.ts'
