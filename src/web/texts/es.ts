/** Every sentence of the hosted pages, in Spanish. */
import { accountTexts } from './account/es.ts'
import { applicationTexts } from './applications/es.ts'
import { approvalTexts } from './approvals/es.ts'
import type { Texts } from './en.ts'
import { externalTexts } from './external/es.ts'
import { methodTexts } from './methods/es.ts'
import { personalTexts } from './personal/es.ts'
import { signInTexts } from './sign-in/es.ts'

export const es: Texts = {
  ...signInTexts,
  ...accountTexts,
  ...applicationTexts,
  ...approvalTexts,
  ...externalTexts,
  ...methodTexts,
  ...personalTexts,
  languages: 'Idiomas',
  summary: 'Hay un problema',
  start: {
    title: 'Le damos la bienvenida',
    lead: 'Inicie sesión para gestionar su cuenta, sus llaves de acceso y las aplicaciones que utiliza.',
    forgotten: '¿Ha olvidado la contraseña?',
    api: 'Referencia de la API (OpenAPI)',
    inbox: 'Bandeja de entrada de desarrollo',
    health: 'Estado del servidor',
    developers: 'Para desarrollo y operaciones',
  },
  verifyEmail: {
    title: 'Verifique su correo electrónico',
    lead: 'Confirme que esta dirección de correo electrónico es suya.',
    code: 'Código de verificación',
    codeMissing: 'Introduzca el código de verificación que ha recibido por correo.',
    button: 'Verificar correo electrónico',
    done: 'Correo electrónico verificado',
    doneText: 'Gracias. Ya puede cerrar esta página.',
  },
  password: {
    resetTitle: 'Elija una contraseña nueva',
    resetLead:
      'La contraseña nueva sustituye a la actual. También puede utilizar una llave de acceso para iniciar sesión.',
    inviteTitle: 'Acepte la invitación',
    inviteLead:
      'Elija una contraseña o utilice una llave de acceso para terminar de configurar su cuenta. Así también se verifica su correo electrónico.',
    setupTitle: 'Configurar Signet',
    recoverTitle: 'Recupere su cuenta',
    setupLead: 'Elija una contraseña para su cuenta de administrador o utilice una llave de acceso.',
    first: 'Contraseña nueva',
    second: 'Repita la contraseña',
    missing: 'Introduzca una contraseña.',
    different: 'Las contraseñas no coinciden.',
    resetButton: 'Establecer contraseña',
    inviteButton: 'Aceptar invitación',
    setupButton: 'Establecer contraseña',
    rules: 'Requisitos de la contraseña',
    atLeast: (count) => (count === 1 ? 'Al menos 1 carácter' : `Al menos ${count} caracteres`),
    needsLowercase: 'Una letra minúscula',
    needsUppercase: 'Una letra mayúscula',
    needsNumber: 'Un número',
    needsSymbol: 'Un símbolo, como ! o ?',
    notCommon: 'No puede ser una contraseña habitual ni su nombre o correo electrónico',
    resetDone: 'Contraseña establecida',
    resetDoneText: 'Utilice la contraseña nueva la próxima vez que inicie sesión. Ya puede cerrar esta página.',
    inviteDone: 'Su cuenta está lista',
    inviteDoneText: 'Su contraseña está establecida y su correo electrónico, verificado. Ya puede cerrar esta página.',
  },
  flaws: {
    too_short: (least) =>
      least === 1
        ? 'La contraseña debe tener al menos 1 carácter.'
        : `La contraseña debe tener al menos ${least} caracteres.`,
    too_long: (_least, most) => `La contraseña puede tener ${most} caracteres como máximo.`,
    no_lowercase: () => 'La contraseña debe contener una letra minúscula.',
    no_uppercase: () => 'La contraseña debe contener una letra mayúscula.',
    no_number: () => 'La contraseña debe contener un número.',
    no_symbol: () => 'La contraseña debe contener un símbolo.',
    common: () => 'Esta contraseña es demasiado habitual. Elija otra.',
    own_name: () => 'Esta contraseña se parece demasiado a su nombre o correo electrónico. Elija otra.',
  },
  setupEmail: {
    lead: 'Introduzca su correo electrónico. Recibirá un mensaje para verificarlo.',
    label: 'Correo electrónico',
    wrong: 'Introduzca una dirección de correo electrónico válida.',
    button: 'Continuar',
  },
  setupDone: {
    title: 'Configuración completada',
    name: (userName) => `Su nombre de usuario es «${userName}». Ha establecido la contraseña y ha iniciado sesión.`,
    next: 'Próximos pasos',
    console: 'Gestione usuarios, organizaciones, proyectos y aplicaciones en la consola.',
    token:
      'Los clientes de la API inician sesión con el token del archivo admin.pat de la carpeta de datos. Manténgalo en secreto.',
    mail: 'Mientras no configure un servidor de correo, todos los mensajes llegan a la bandeja de entrada de desarrollo.',
    api: 'Todo lo que hace la consola también está en la API.',
  },
  forgotten: {
    title: 'Restablezca la contraseña',
    lead: 'Introduzca su nombre de usuario o correo electrónico. Le enviaremos un enlace para restablecer la contraseña.',
    name: 'Nombre de usuario o correo electrónico',
    missing: 'Introduzca su nombre de usuario o correo electrónico.',
    button: 'Enviar enlace',
    closed: 'Aquí no se puede restablecer la contraseña. Contacte con su administrador.',
  },
  sent: {
    title: 'Revise su correo electrónico',
    text: 'Si existe una cuenta que coincida, recibirá en unos minutos un mensaje con un enlace. Revise también la carpeta de spam.',
    again:
      '¿No ha recibido el mensaje? Compruebe los datos e inténtelo de nuevo, o póngase en contacto con su administrador.',
  },
  stale: {
    title: 'Este enlace no es válido',
    text: 'Ha caducado, ya se ha utilizado o se ha sustituido por otro más reciente. Solicite uno nuevo.',
    button: 'Enviar un enlace nuevo',
    setupText:
      'Ha caducado, ya se ha utilizado o se ha sustituido por otro más reciente. Para crear uno nuevo, ejecute «signet setup-link» en el servidor, o «signet admin recover» si la cuenta ya estaba configurada.',
  },
  incomplete: {
    title: 'Este enlace está incompleto',
    text: 'Algunas aplicaciones de correo cortan los enlaces largos. Copie el enlace completo del mensaje en la barra de direcciones.',
  },
  busy: {
    title: 'Inténtelo de nuevo',
    text: 'El servidor está ocupado. Inténtelo de nuevo dentro de unos segundos.',
  },
  notFound: {
    title: 'Página no encontrada',
    text: 'Compruebe la dirección. Es posible que la página se haya movido o eliminado.',
  },
  notAllowed: { title: 'Solicitud no permitida', text: 'Esta página no admite este tipo de solicitud.' },
  crossSite: {
    title: 'Solicitud bloqueada',
    text: 'El formulario se envió desde otro sitio, por lo que no se ha cambiado nada. Vuelva a abrir la página o el enlace de su correo.',
  },
  unreadable: {
    title: 'Solicitud no válida',
    text: 'El formulario no se ha podido leer o es demasiado grande. Vuelva atrás e inténtelo de nuevo.',
  },
  fault: {
    title: 'Se ha producido un error',
    text: 'El error está en nuestro servidor. Inténtelo de nuevo dentro de unos minutos.',
  },
  signInFailed: {
    title: 'No se ha podido iniciar sesión',
    text: 'El inicio de sesión ha tardado demasiado o ya se había completado. Vuelva a la aplicación y empiece de nuevo.',
  },
  home: 'Ir a la página de inicio',
  inbox: {
    title: 'Bandeja de entrada de desarrollo',
    lead: 'No hay ningún servidor de correo configurado, por lo que todos los mensajes llegan aquí. Esta página solo está disponible en este equipo.',
    locked:
      'Abra el enlace a la bandeja de entrada que el servidor muestra al arrancar. La clave está en el archivo «inbox-key» de la carpeta de datos.',
    empty: 'Aún no hay mensajes.',
    to: 'Para',
    at: 'Fecha',
    back: 'Todos los mensajes',
    asText: 'Texto sin formato',
    body: 'Contenido del mensaje',
  },
}
