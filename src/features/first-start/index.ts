/** The front of this room, which knows those below it: the first start of an instance. */
export {
  ADMIN_TOKEN_FILE,
  awaitsAdministrator,
  type FirstStart,
  type FirstStartNeeds,
  firstStart,
  reissueAdminToken,
  SETUP_LINK_FILE,
} from './bootstrap.ts'
