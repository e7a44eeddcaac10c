/** The sentences of signing in, in Spanish. */
import type { signInTexts as english } from './en.ts'

export const signInTexts: typeof english = {
  insecure: {
    title: 'La conexión no es segura',
    text: 'Para iniciar sesión se necesita una conexión cifrada. Abra esta página con una dirección que empiece por https://.',
  },
  wait: {
    title: 'Espere un momento',
    text: 'Demasiados intentos.',
    again: 'Intentar de nuevo',
    seconds: (count) =>
      count === 1 ? 'Inténtelo de nuevo dentro de 1 segundo.' : `Inténtelo de nuevo dentro de ${count} segundos.`,
    minutes: (count) =>
      count === 1 ? 'Inténtelo de nuevo dentro de 1 minuto.' : `Inténtelo de nuevo dentro de ${count} minutos.`,
  },
  signIn: {
    title: 'Iniciar sesión',
    name: 'Nombre de usuario o correo electrónico',
    password: 'Contraseña',
    show: 'Mostrar contraseña',
    button: 'Iniciar sesión',
    or: 'o',
    passkey: 'Iniciar sesión con una llave de acceso',
    nameMissing: 'Introduzca su nombre de usuario o correo electrónico.',
    passwordMissing: 'Introduzca su contraseña.',
    refused:
      'El nombre de usuario, el correo electrónico o la contraseña no son correctos, o esta cuenta no está disponible en este momento.',
  },
  again: {
    title: 'Confirme su identidad',
    lead: (userName) =>
      `Ha iniciado sesión como «${userName}». Confirme su identidad para cambiar su configuración de inicio de sesión.`,
    button: 'Continuar',
    passkey: 'Usar una llave de acceso',
  },
  keys: {
    cancelled: 'La solicitud se ha cancelado o ha caducado. Inténtelo de nuevo.',
    known: 'Este dispositivo o llave de seguridad ya está registrado.',
    failed: 'El navegador no ha podido completar la solicitud. Pruebe otro método.',
    unsupported: 'Este navegador no admite llaves de acceso. Utilice un navegador más reciente.',
    needsScript: 'Las llaves de acceso necesitan JavaScript. Actívelo en los ajustes del navegador.',
    unavailable: 'No se puede usar ninguna llave de acceso en este sitio. Pruebe otro método.',
    tooLate: 'La solicitud ha caducado. Recargue la página e inténtelo de nuevo.',
    refused: 'No se ha reconocido la llave de acceso o de seguridad, o la solicitud ha caducado. Inténtelo de nuevo.',
  },
  secondFactor: {
    title: 'Verificación en dos pasos',
    lead: {
      u2f: 'Utilice su llave de seguridad.',
      totp: 'Introduzca el código de su aplicación de autenticación. Cada código sirve una sola vez. Si acaba de usarlo, espere al siguiente.',
      otp_email: 'Enviaremos un código de verificación a su correo electrónico.',
      otp_sms: 'Enviaremos un código de verificación a su teléfono.',
      recovery_code: 'Introduzca uno de sus códigos de recuperación. Cada código sirve una sola vez.',
    },
    sent: {
      otp_email: 'Hemos enviado un código de verificación a su correo electrónico. Es válido durante 5 minutos.',
      otp_sms: 'Hemos enviado un código de verificación a su teléfono. Es válido durante 5 minutos.',
    },
    code: {
      totp: 'Código de verificación',
      otp_email: 'Código de verificación',
      otp_sms: 'Código de verificación',
      recovery_code: 'Código de recuperación',
    },
    names: {
      u2f: 'Llave de seguridad',
      totp: 'Aplicación de autenticación',
      otp_email: 'Código por correo electrónico',
      otp_sms: 'Código por SMS',
      recovery_code: 'Código de recuperación',
    },
    button: 'Continuar',
    useKey: 'Usar llave de seguridad',
    send: 'Enviar código',
    sendAgain: 'Enviar un código nuevo',
    others: 'Probar otro método',
    missing: 'Introduzca el código.',
    refused: 'Este código no es correcto, ha caducado o ya se ha utilizado. Inténtelo de nuevo con un código nuevo.',
    notSent: 'No se ha podido enviar el código. Pruebe otro método.',
  },
  requiredFactor: {
    title: 'Configure la verificación en dos pasos',
    lead: 'Su organización exige un segundo paso para iniciar sesión. Configúrelo una vez para continuar.',
    none: 'Su organización exige la verificación en dos pasos, pero no hay ningún método disponible para usted. Póngase en contacto con su administrador.',
    app: 'Configurar aplicación de autenticación',
    key: 'Configurar llave de seguridad',
  },
  app: {
    title: 'Configure la aplicación de autenticación',
    lead: 'Escanee el código QR con la aplicación. Después, introduzca el código que muestra.',
    picture: 'Código QR para la aplicación de autenticación',
    byHand: '¿No puede escanearlo? Introduzca esta clave en la aplicación:',
    code: 'Código de verificación',
    button: 'Terminar la configuración',
    refused: 'Este código no es correcto. Introduzca el código actual de la aplicación.',
  },
  signedIn: {
    title: 'Ha iniciado sesión',
    lead: (userName) => `Le damos la bienvenida, ${userName}. Redirigiendo…`,
    go: 'Continuar',
    account: 'Ir a su cuenta',
  },
  signedOut: {
    title: 'Ha cerrado la sesión',
    lead: 'Su sesión en este navegador ha finalizado.',
    again: 'Volver a iniciar sesión',
  },
  changePassword: {
    title: 'Cambie la contraseña',
    firstTitle: 'Elija una contraseña',
    required: 'Sustituya la contraseña temporal por una nueva para continuar.',
    current: 'Contraseña actual',
    currentMissing: 'Introduzca su contraseña actual.',
    wrong: 'La contraseña actual no es correcta.',
  },
  registerPasskey: {
    title: 'Añada una llave de acceso',
    lead: 'Inicie sesión con la huella dactilar, el rostro o el PIN del dispositivo en lugar de una contraseña.',
    refused:
      'No se ha podido añadir la llave de acceso. Es posible que el enlace haya caducado, se haya utilizado o se haya sustituido por otro más reciente. Solicite un enlace nuevo.',
    done: 'Llave de acceso añadida',
    doneText: 'Ya puede iniciar sesión con su llave de acceso.',
  },
  setUpPasskey: {
    button: 'Usar una llave de acceso en su lugar',
    done: (userName) =>
      `Su nombre de usuario es «${userName}» y su llave de acceso se ha guardado. Utilícela ahora para iniciar sesión.`,
  },
  setUpInsecure: {
    title: 'Esta dirección no sirve para la configuración',
    why: 'Ha abierto esta página mediante http:// en una dirección que no es la de este equipo. Los navegadores solo ofrecen llaves de acceso mediante https:// y aquí no guardan la cookie de sesión, por lo que después no podría iniciar sesión. No se ha cambiado nada y su enlace sigue siendo válido.',
    how: 'Abra el enlace con una dirección que empiece por https:// y asigne esa dirección a SIGNET_EXTERNAL_URL. En el propio servidor también funciona http://localhost.',
  },
  userName: 'Nombre de usuario',
}
