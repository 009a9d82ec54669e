import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SandboxTest {
  @ParameterizedTest
  @ValueSource(strings = {"Launch", "Größer"})
  void aSandboxStartsWithTheRowsOfTheWorld(String content) throws Exception {
    var sandbox = new Sandbox("starts with the rows: " + content);
    var annotations = URI.create(sandbox.url + "/api/projects/1/annotations/");
    var body = "{\"content\": \"" + content + "\"}";

    var created = send(annotations, "POST", sandbox.key, body);
    var page = send(annotations, "GET", sandbox.key, "");

    assertEquals(201, created.statusCode());
    assertTrue(page.body().startsWith("{\"count\":7,"), page.body());
  }

  private static HttpResponse<String> send(URI uri, String method, String key, String body)
      throws Exception {
    var request = HttpRequest.newBuilder(uri).method(method, BodyPublishers.ofString(body));
    request.header("Content-Type", "application/json").header("Authorization", "Bearer " + key);
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofString());
  }
}
