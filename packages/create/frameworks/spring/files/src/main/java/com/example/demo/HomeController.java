import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class HomeController {

    @GetMapping("/")
    String home() {
        return "<h1>Welcome</h1><a href=\"/profile\">Sign in</a>";
    }

    /** Spring Security asks users to sign in before they get here. */
    @GetMapping("/profile")
    String profile(@AuthenticationPrincipal OidcUser user) {
        return "Hello " + user.getFullName();
    }
}
