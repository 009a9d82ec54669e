import java.net.URI;
import java.net.http.*;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.*;

/** A world of its own for one test: new Sandbox("its name").key */
class Sandbox {
  static final String MISSING = "Run the tests with npx ./understudy-api-0.1.0.tgz exec --";
  final String url = Objects.requireNonNull(System.getenv("UNDERSTUDY_URL"), MISSING);
  final String key = "phx_" + UUID.randomUUID(); // no other world has it

  Sandbox(String name) throws Exception {
    var body = "{\"name\": \"" + name + "\", \"ttl_s\": 600, \"keys\": [{\"label\": \"all\", \"value\": \"" + key + "\"}]}";
    var request = HttpRequest.newBuilder(URI.create(url + "/__admin/sandboxes"));
    request.header("Content-Type", "application/json").POST(HttpRequest.BodyPublishers.ofString(body));
    HttpClient.newHttpClient().send(request.build(), BodyHandlers.discarding());
  }
}
