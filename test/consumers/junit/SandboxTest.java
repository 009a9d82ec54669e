import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test has a world of its own, so that tests can run in parallel. */
class SandboxTest {
  private static final String SANDBOXES = System.getenv("UNDERSTUDY_URL") + "/__admin/sandboxes";
  private final HttpClient client = HttpClient.newHttpClient();
  private String id;
  private String url;
  private String key;

  @BeforeEach
  void createSandbox() throws Exception {
    String sandbox = send("POST", SANDBOXES, "{\"from\": \"default\"}").body();
    id = field(sandbox, "id");
    url = field(sandbox, "url");
    key = field(sandbox, "key");
  }

  @AfterEach
  void deleteSandbox() throws Exception {
    assertEquals(204, send("DELETE", SANDBOXES + "/" + id, "").statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"Launch", "Größer"})
  void aSandboxStartsWithTheRowsOfTheWorld(String content) throws Exception {
    String annotations = url + "/api/projects/1/annotations/";

    int status = send("POST", annotations, "{\"content\": \"" + content + "\"}").statusCode();

    assertEquals(201, status);
    assertTrue(send("GET", annotations, "").body().startsWith("{\"count\":7,"));
  }

  private HttpResponse<String> send(String method, String target, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(target))
            .header("content-type", "application/json")
            .header("authorization", "Bearer " + key)
            .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** The first field of this name. A project of your own has a JSON library for it. */
  private static String field(String json, String name) {
    Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
    assertTrue(matcher.find(), json);
    return matcher.group(1);
  }
}
